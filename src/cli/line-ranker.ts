/** What `semantic_filter` measures nearness with: the model inside the binary. Joined here, as output and repo do not know each other. */
import type { LineRanker } from "../output/filters/semantic.ts";
import { loadEmbeddedModel } from "../repo/embed/model-file.ts";
import { queryTerms } from "../repo/embed/terms.ts";

/** Only the embedded model: the others would start a runtime, or a download, in the middle of a command. */
export async function loadRanker(model: string): Promise<LineRanker | undefined> {
  if (model !== "static") return undefined;
  const embedded = await loadEmbeddedModel();
  return (query, lines) => {
    const wanted = embedded.embed(queryTerms(query));
    return lines.map((line) => {
      const { data, scale } = embedded.embed(queryTerms(line.slice(0, 400)));
      let dot = 0;
      for (let at = 0; at < data.length; at++) dot += (data[at] as number) * (wanted.data[at] as number);
      return dot * scale * wanted.scale;
    });
  };
}
