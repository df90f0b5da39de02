/** What the graph's commands share: a fresh index, the symbol that a name means, numbers from flags, and where to write. */
import { resolve } from "node:path";
import { EXIT, UserError } from "../platform/errors.ts";
import { writeFileAtomic } from "../platform/files.ts";
import { nearest } from "../platform/nearest.ts";
import { describe, type Found } from "../repo/graph/find.ts";
import { Graph } from "../repo/graph/graph.ts";
import type { Node } from "../repo/graph/universe.ts";
import { openFresh } from "../repo/index/freshness.ts";
import { projectToAsk } from "../repo/index/project.ts";
import { warnings } from "./warnings.ts";

/** Runs `question` on the graph of the project around the working directory. */
export async function withGraph<T>(question: (graph: Graph, root: string) => T | Promise<T>): Promise<T> {
  const root = projectToAsk(undefined, process.cwd());
  const fresh = await openFresh(root);
  await warnings(fresh);
  try {
    return await question(new Graph(fresh.store), root);
  } finally {
    fresh.store.close();
  }
}

/** A whole number from a flag. @throws UserError that names the flag. */
export function wholeNumber(value: string | undefined, flag: string, least: number, most: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UserError(
    `--${flag} must be a whole number from ${least} to ${most}, not '${value}'`,
    undefined,
    EXIT.usage,
  );
}

/** One of some words from a flag. @throws UserError that offers the nearest. */
export function oneOf<T extends string>(value: string | undefined, flag: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === value);
  if (found) return found;
  const near = nearest(value ?? "", choices);
  throw new UserError(
    `--${flag} has no '${value}'`,
    near ? `did you mean '${near}'?` : `it takes: ${choices.join(", ")}`,
    EXIT.usage,
  );
}

/** Several things of one name are answered together; this line says so, and how to ask for one. */
export function tellAmbiguity(found: Found): void {
  if (!found.isAmbiguous) return;
  const shown = found.nodes.slice(0, 6).map((node) => `  ${describe(node)}`);
  const first = found.nodes[0] as Node;
  console.error(
    `${found.nodes.length} symbols have this name; the answer is for all of them. One alone: ${first.path}:${first.name}\n${shown.join("\n")}${found.nodes.length > 6 ? "\n  …" : ""}`,
  );
}

/** Prints, or writes to the file that `--output` names. */
export function deliver(text: string, output: string | undefined): void {
  if (output === undefined) {
    console.log(text.replace(/\n$/, ""));
    return;
  }
  const path = resolve(output);
  writeFileAtomic(path, text, { mode: 0o644 });
  console.error(`wrote ${path}`);
}

export function nodeJson(node: Node | undefined) {
  if (!node) return null;
  return {
    name: node.qualifiedName,
    kind: node.kind,
    path: node.path,
    start_line: node.startLine,
    end_line: node.endLine,
  };
}

/** The word that stands behind an edge which is not certain. */
export function mark(edge: { readonly certainty: string; readonly isPossible: boolean }): string {
  if (edge.isPossible) return "  (possible: runs behind an interface or override)";
  if (edge.certainty === "inferred") return "  (inferred: by name only)";
  if (edge.certainty === "ambiguous") return "  (ambiguous: several have this name)";
  return "";
}
