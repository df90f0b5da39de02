/** A file's outline in the place of the file: from the index while that is true, else from the text at hand. */
import { relative } from "node:path";
import { outlineFromStore, outlineOfText, renderOutline } from "../../repo/context/outline.ts";
import type { Store } from "../../repo/store/store.ts";
import type { Project } from "./project.ts";
import type { Outline } from "./repo-answers.ts";

/** An outline of fewer entries tells less than the file's first lines do. */
const FEWEST_ENTRIES = 3;
const MOST_TOKENS = 4000;

export async function outlineFrom(
  store: Store,
  project: Project,
  path: string,
  text: string,
): Promise<Outline | undefined> {
  const name = relative(project.root, path).replaceAll("\\", "/");
  // A file that the index left out (ignored, generated, too large) is nothing that an outline was ever made of.
  if (name === "" || name.startsWith("../") || !store.files.byPath(name)?.contentHash) return undefined;
  const outline = outlineFromStore(store, name) ?? (await outlineOfText(name, text, project.config.languages));
  if (!outline || outline.entries.length < FEWEST_ENTRIES) return undefined;
  // Its first line names the file, which the hook's own line does already.
  const rendered = renderOutline(outline, { maxTokens: MOST_TOKENS });
  return { text: rendered.slice(rendered.indexOf("\n") + 1), totalLines: outline.lines };
}
