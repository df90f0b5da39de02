/** How central each file is: PageRank over imports between files. The same input always gives the same numbers. */
import type { Graph } from "../graph/graph.ts";
import { pageRank } from "../graph/whole.ts";

export function fileRanks(graph: Graph): ReadonlyMap<string, number> {
  const files = [...graph.universe.allFiles()];
  const index = new Map(files.map((file, i) => [file.path, i]));
  const out = files.map((file, from) => {
    const targets = new Set<number>();
    for (const { target } of graph.universe.importsOf(file.id))
      if (target.kind === "files")
        for (const path of target.paths) {
          const to = index.get(path);
          if (to !== undefined && to !== from) targets.add(to);
        }
    return [...targets];
  });
  const rank = pageRank({ out }, 25);
  return new Map(files.map((file, i) => [file.path, rank[i] ?? 0]));
}
