/**
 * A version of everything that decides how a file comes out of the index: languages, queries, grammars, chunking and
 * tokenizing. Made from their bytes, so nobody has to remember to raise it: an index of another version is read anew.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");
const PATTERNS = [
  "assets/queries/**/*.scm",
  "src/repo/languages/**/*.ts",
  "src/repo/index/{analyse,chunk,classify,process}.ts",
  "src/repo/search/{postings,tokenize}.ts",
  "src/platform/text.ts",
];

export async function generate(outDir: string): Promise<void> {
  const paths = PATTERNS.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })]).sort();
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of paths)
    hash.update(`${path.replaceAll("\\", "/")}\0`).update(withoutCarriageReturns(join(ROOT, path)));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }).sort())
    if (name.includes("tree-sitter") || name.includes("treesitter")) hash.update(`${name}@${version}\0`);
  const version = hash.digest("hex").slice(0, 16);
  await Bun.write(join(outDir, "extractor.ts"), `export const EXTRACTOR_VERSION = "${version}";\n`);
}

/** The same version on a checkout with CRLF line ends. */
function withoutCarriageReturns(path: string): string {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
}
