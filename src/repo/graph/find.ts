/** From what a person or an agent types to the symbols that it means. A name that does not exist is never answered for another. */
import { UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";
import type { Graph } from "./graph.ts";
import { dottedName } from "./spelling.ts";
import type { Node } from "./universe.ts";

export interface Found {
  /** All symbols that the name means: one thing with its overloads, or several things. */
  readonly nodes: readonly Node[];
  /** More than one thing has this name. */
  readonly isAmbiguous: boolean;
}

/**
 * `name`, `Type.name` (also as `Type::name`, `Type#name`, `Type.prototype.name`), `path/to/file.ts:name`,
 * `path/to/file.ts:LINE`, and `path/to/file.ts:LINE-LINE` as hits are printed.
 * @throws UserError that offers near names when there is none of it.
 */
export function findSymbol(graph: Graph, text: string): Found {
  const inFile = /^(.+?\.[A-Za-z0-9]+|.*\/.+):(.+)$/.exec(text.replaceAll("::", "\0"));
  const path = inFile?.[1]?.replaceAll("\0", "::");
  const written = (inFile?.[2] ?? text).replaceAll("\0", "::");
  const wanted = dottedName(written);
  let nodes = path === undefined ? named(graph, wanted) : inPath(graph, path, wanted);
  // A name may itself hold what separates others (`operator->`).
  if (nodes.length === 0 && written !== wanted)
    nodes = path === undefined ? graph.universe.named(written) : inPath(graph, path, written);
  if (nodes.length === 0) throw unknownSymbol(graph, text);
  const things = new Set(
    nodes.map((node) => `${node.language === "c" || node.language === "cpp" ? "" : node.path}\0${node.qualifiedName}`),
  );
  return { nodes, isAmbiguous: things.size > 1 };
}

function named(graph: Graph, wanted: string): readonly Node[] {
  const last = wanted.slice(wanted.lastIndexOf(".") + 1);
  const exact = graph.universe.named(last);
  if (last === wanted) return exact.length > 0 ? exact : graph.universe.named(wanted);
  const whole = exact.filter((node) => node.qualifiedName === wanted || `${node.owner}.${node.name}` === wanted);
  if (whole.length > 0) return whole;
  // Elixir and others name a module with dots in it.
  const dotted = graph.universe.named(wanted);
  return dotted.length > 0 ? dotted : exact.filter((node) => `${node.owner}.${node.name}`.endsWith(`.${wanted}`));
}

function inPath(graph: Graph, path: string, wanted: string): readonly Node[] {
  const files = [...graph.universe.allFiles()].filter((file) => file.path === path || file.path.endsWith(`/${path}`));
  return files.flatMap((file) => {
    const nodes = graph.universe.symbolsOf(file.id);
    const place = /^(\d+)(?:-\d+)?$/.exec(wanted);
    if (!place) return nodes.filter((node) => node.qualifiedName === wanted || node.name === wanted);
    const line = Number(place[1]);
    const around = nodes.filter((node) => node.docStartLine <= line && node.endLine >= line);
    const inner = around[around.length - 1];
    return inner ? [inner] : [];
  });
}

export function unknownSymbol(graph: Graph, text: string): UserError {
  const dotted = dottedName(text);
  const last = dotted.slice(Math.max(dotted.lastIndexOf("."), dotted.lastIndexOf(":")) + 1);
  const near = nearSymbols(graph, last);
  return new UserError(
    `there is no symbol '${text}' in the index`,
    near.length > 0 ? `near names: ${near.join(", ")}` : "'tokenix query' searches by words and meaning",
  );
}

/** Up to five names that look like the one asked for. */
export function nearSymbols(graph: Graph, name: string): readonly string[] {
  const names = graph.store.graph.symbolNames();
  const wanted = name.toLowerCase();
  const best = nearest(name, graph.store.graph.namesNear(name, 2));
  const starts = names.filter(
    (one) => one.toLowerCase().startsWith(wanted) || (wanted.length >= 4 && one.toLowerCase().includes(wanted)),
  );
  return [...new Set([...(best === undefined ? [] : [best]), ...starts.sort((a, b) => a.length - b.length)])].slice(
    0,
    5,
  );
}

export function describe(node: Node): string {
  return `${node.path}:${node.startLine}  ${node.kind} ${node.qualifiedName}`;
}
