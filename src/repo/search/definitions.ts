/**
 * Which chunks define what a question names, and how much each of several definitions of one name is worth. A name
 * is often defined many times over: as a class, its interface, a façade of it, a forward declaration, a member.
 */
import { isNamedAfter } from "./names.ts";
import type { Question } from "./question.ts";
import type { Definition, SearchSource } from "./source.ts";

/** At most this many definitions of one name: `get` or `new` may have thousands. */
const MAX_DEFINITIONS = 400;

export interface DefinitionHit {
  readonly id: number;
  readonly name: string;
  /** The whole question is this name, as against a name within prose. */
  readonly whole: boolean;
  /** The question named the container too, and it is this one. */
  readonly qualified: boolean;
  readonly definition: Definition;
}

export interface DefinitionWeights {
  /** Times the top score for a chunk that defines the asked symbol, and its factor when the file is named after it. */
  readonly definition: number;
  readonly definitionFileFactor: number;
  /** The same for identifier-shaped words inside prose. */
  readonly embeddedDefinition: number;
  /** What a definition of no length beside a long one of the same name keeps: façades, contracts, forward declarations. */
  readonly slightDefinition: number;
}

export function definitionsFor(source: SearchSource, question: Question, symbolsOnly: boolean): DefinitionHit[] {
  if (question.symbol !== undefined || symbolsOnly) {
    const name = question.symbol ?? question.text;
    const found = source.definitions(name).slice(0, MAX_DEFINITIONS);
    const exact = found.some((one) => one.name === name);
    return found
      .filter((one) => !exact || one.name === name)
      .map((one) => ({
        id: one.chunk,
        name,
        whole: true,
        definition: one,
        qualified: question.qualifier !== undefined && holds(one.qualifiedName, question.qualifier),
      }));
  }
  return question.embeddedSymbols.flatMap((name) =>
    source
      .definitions(name)
      .slice(0, MAX_DEFINITIONS)
      .map((one) => ({ id: one.chunk, name, whole: false, qualified: false, definition: one })),
  );
}

/** Is `qualifier` one of the names before the last of a qualified name. */
function holds(qualifiedName: string, qualifier: string): boolean {
  return qualifiedName
    .split(/::|\\|->|\.|#|\//)
    .slice(0, -1)
    .some((part) => part.toLowerCase() === qualifier.toLowerCase());
}

/** What each definition adds to its chunk, in top scores. The substantial one of a name goes first (.003 on half A, .001 on B). */
export function definitionBonus(
  hits: readonly DefinitionHit[],
  weights: DefinitionWeights,
): (hit: DefinitionHit, path: string) => number {
  const longest = new Map<string, number>();
  for (const { name, definition } of hits) longest.set(name, Math.max(longest.get(name) ?? 1, linesOf(definition)));
  return (hit, path) => {
    let bonus = hit.whole ? weights.definition : weights.embeddedDefinition;
    if (isNamedAfter(path, hit.name)) bonus *= weights.definitionFileFactor;
    if (hit.qualified) bonus *= weights.definitionFileFactor;
    const length = Math.sqrt(linesOf(hit.definition) / (longest.get(hit.name) ?? 1));
    return bonus * (weights.slightDefinition + (1 - weights.slightDefinition) * length);
  };
}

function linesOf(definition: Definition): number {
  return Math.max(1, definition.endLine - definition.startLine + 1);
}
