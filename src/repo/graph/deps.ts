/** Imports of one file, both ways: what it imports (files, or outside), and who imports it. */
import type { Graph } from "./graph.ts";

export interface Dependency {
  readonly module: string;
  readonly line: number;
  readonly kind: string;
  /** Files that it means; empty for something outside. */
  readonly paths: readonly string[];
  readonly external: string | undefined;
  readonly isGuess: boolean;
}

export interface Importer {
  readonly path: string;
  readonly line: number;
  readonly isGuess: boolean;
}

export function dependenciesOf(graph: Graph, fileId: number): Dependency[] {
  return graph.universe.importsOf(fileId).map(({ module, line, kind, target }) => ({
    module,
    line,
    kind,
    paths: target.kind === "files" ? target.paths : [],
    external: target.kind === "external" ? target.name : undefined,
    isGuess: target.kind === "files" && target.isGuess === true,
  }));
}

export function importersOf(graph: Graph, path: string): Importer[] {
  const found: Importer[] = [];
  const family = graph.universe.fileAt(path)?.family;
  for (const file of graph.universe.allFiles()) {
    if (file.path === path || file.family !== family) continue;
    const one = graph.universe
      .importsOf(file.id)
      .find(({ target }) => target.kind === "files" && target.paths.includes(path));
    if (one)
      found.push({
        path: file.path,
        line: one.line,
        isGuess: one.target.kind === "files" && one.target.isGuess === true,
      });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
