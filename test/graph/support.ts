/** A small project, really indexed, and its graph told in short lines. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Graph } from "../../src/repo/graph/graph.ts";
import type { Node } from "../../src/repo/graph/universe.ts";
import { runIndex } from "../../src/repo/index/run.ts";
import { withWriter } from "../../src/repo/index/writer.ts";
import { openStore } from "../../src/repo/store/open.ts";

export type Files = Readonly<Record<string, string>>;

export class Project implements Disposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "tokenix-graph-")));
  readonly root = join(this.base, "repo");
  readonly env = { TOKENIX_HOME: join(this.base, "home") };

  constructor(files: Files) {
    mkdirSync(this.root);
    this.write(files);
  }

  write(files: Files): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.root, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  remove(name: string): void {
    rmSync(join(this.root, name));
  }

  async index(force = false): Promise<void> {
    await withWriter(this.root, { purpose: "test", env: this.env }, (store) =>
      runIndex(store, { env: this.env, force, jobs: 0 }),
    );
  }

  /** Opens a graph of what is indexed now; the caller is handed the answers, not the store. */
  ask<T>(question: (graph: Graph) => T): T {
    const store = openStore(this.root, { mode: "read", env: this.env });
    try {
      return question(new Graph(store));
    } finally {
      store.close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

export function pick(graph: Graph, qualifiedName: string, path?: string): Node[] {
  const last = qualifiedName.slice(qualifiedName.lastIndexOf(".") + 1);
  return graph.universe
    .named(last)
    .filter((node) => node.qualifiedName === qualifiedName && (path === undefined || node.path === path));
}

/** `path:line who certainty` of every caller; a possible one has a `?`. */
export function callersOf(graph: Graph, qualifiedName: string, path?: string): string[] {
  const nodes = pick(graph, qualifiedName, path);
  if (nodes.length === 0) throw new Error(`no symbol ${qualifiedName}`);
  return graph
    .dependents(nodes, { callsOnly: true })
    .map(
      (one) =>
        `${one.path}:${one.line} ${one.node?.qualifiedName ?? "(top)"} ${one.certainty}${one.isPossible ? "?" : ""}`,
    );
}

/** Every certain edge of a project as `path:line from -> path#target`. */
export function certainEdges(graph: Graph, wanted: (kind: string) => boolean = () => true): string[] {
  const edges: string[] = [];
  for (const file of graph.universe.allFiles())
    for (const reference of graph.store.graph.referencesOfFile(file.id)) {
      if (!wanted(reference.kind)) continue;
      const { certainty, targets } = graph.resolver.resolve(reference);
      if (certainty !== "resolved") continue;
      const from = graph.enclosing(reference)?.qualifiedName ?? "(top)";
      for (const target of targets)
        edges.push(`${file.path}:${reference.line} ${from} -> ${target.path}#${target.qualifiedName}`);
    }
  return edges.sort();
}
