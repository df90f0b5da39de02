/** What a file's language tells about it. The one place where the index meets the languages room. */
import type { Extraction } from "../languages/types.ts";

/** Raised when chunks or symbols of an unchanged file would come out differently: the next run then reads all files anew. */
export const EXTRACTOR_VERSION = "1";

export interface Analysis {
  readonly language: string;
  readonly isCode: boolean;
}

const NOTHING: Extraction = { symbols: [], imports: [], references: [], inherits: [], parsed: "none" };

export function languageOfFile(path: string, text: string, overrides: Readonly<Record<string, string>> = {}): Analysis {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const language = overrides[extension] ?? (name.includes(".") && text.length > 0 ? extension : "text");
  return { language, isCode: !["md", "txt", "json", "yaml", "yml", "toml", "text"].includes(language) };
}

export async function extractFile(_language: string, _text: string): Promise<Extraction> {
  return NOTHING;
}
