/** Search over the SQLite store: a thin reading of its tables, with segments and their lengths read once. */
import type { Store } from "../store/store.ts";
import type { ChunkHead, Definition, SearchSource, VectorBlock } from "./source.ts";

export function storeSource(store: Store): SearchSource {
  const segments = store.lexical.segments();
  return {
    segments: () => segments,
    postings: (terms) => store.lexical.lists(segments, terms),
    heads: (ids) =>
      store.chunks.heads(ids).map(
        ([id, path, startLine, endLine, symbol, kind, tokens]): ChunkHead => ({
          id,
          path,
          startLine,
          endLine,
          symbol: symbol ?? undefined,
          kind,
          tokens,
        }),
      ),
    text: (id) => store.chunks.text(id),
    definitions: (name) =>
      store.graph.symbolsNamed(name).map(
        (row): Definition => ({
          chunk: row.chunkId,
          name: row.name,
          qualifiedName: row.qualifiedName,
          kind: row.kind,
          startLine: row.docStartLine,
          endLine: row.endLine,
        }),
      ),
    chunksOfFiles(keep) {
      const files = new Set<number>();
      for (const file of store.files.stored()) if (keep(file.path, file.language ?? "")) files.add(file.id);
      const chunks = new Set<number>();
      for (const [chunk, file] of store.chunks.owners()) if (files.has(file)) chunks.add(chunk);
      return chunks;
    },
    vectors: (model): Iterable<VectorBlock> => store.vectors.blocks(model),
  };
}
