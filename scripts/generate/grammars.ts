/**
 * Packs the grammars (and tree-sitter's own runtime) that the language definitions name, as zstd, and writes
 * `src/generated/grammars.ts`: name → embedded file. A packed file is named by the hash of its source, so a second
 * run only reads and hashes: milliseconds.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Grammar, LanguageDefinition } from "../../src/repo/languages/definition.ts";

const root = join(import.meta.dir, "..", "..");
/** Level 19 would save 15 % of 6 MB and take twenty times as long. */
const level = 9;

export async function generate(outDir: string): Promise<void> {
  const cache = join(root, "node_modules/.cache/tokenix/grammars");
  mkdirSync(cache, { recursive: true });
  const files = new Map<string, Grammar>([
    ["runtime", { name: "runtime", file: "web-tree-sitter/web-tree-sitter.wasm" }],
  ]);
  for (const definition of await readDefinitions()) {
    if (definition.grammar) files.set(definition.grammar.name, definition.grammar);
  }
  const imports: string[] = [];
  const entries: string[] = [];
  for (const [name, grammar] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const packed = pack(grammar, cache);
    const path = relative(outDir, packed).replaceAll("\\", "/");
    imports.push(`import g${imports.length} from "${path}" with { type: "file" };`);
    entries.push(`  ${JSON.stringify(name)}: g${entries.length},`);
  }
  const lines = [
    "// Made by scripts/generate/grammars.ts.",
    ...imports,
    "",
    "export const grammarFiles: Readonly<Record<string, string>> = {",
    ...entries,
    "};",
    "",
  ];
  await Bun.write(join(outDir, "grammars.ts"), lines.join("\n"));
  await Bun.write(
    join(outDir, "zst.d.ts"),
    'declare module "*.zst" {\n  const path: string;\n  export default path;\n}\n',
  );
}

async function readDefinitions(): Promise<LanguageDefinition[]> {
  const folder = join(root, "src/repo/languages/definitions");
  const found: LanguageDefinition[] = [];
  for (const name of [...new Bun.Glob("*.ts").scanSync(folder)].sort()) {
    const module = (await import(join(folder, name))) as { default: LanguageDefinition | LanguageDefinition[] };
    found.push(...[module.default].flat());
  }
  return found;
}

function pack({ name, file, repairs = [] }: Grammar, cache: string): string {
  let bytes: Buffer = readFileSync(join(root, "node_modules", file));
  for (const [find, replace] of repairs)
    bytes = repair(bytes, Buffer.from(find, "hex"), Buffer.from(replace, "hex"), file);
  const hash = Bun.hash(bytes).toString(16).padStart(16, "0");
  const target = join(cache, `${name}-${hash}-${level}.zst`);
  if (existsSync(target)) return target;
  const partial = `${target}.${process.pid}`;
  writeFileSync(partial, Bun.zstdCompressSync(bytes, { level }));
  renameSync(partial, target);
  return target;
}

function repair(bytes: Buffer, find: Buffer, replace: Buffer, file: string): Buffer {
  const at = bytes.indexOf(find);
  if (at === -1 || bytes.indexOf(find, at + 1) !== -1 || find.length !== replace.length) {
    throw new Error(`${file} is not the file that its repair was written for: does it still need one?`);
  }
  const fixed = Buffer.from(bytes);
  replace.copy(fixed, at);
  return fixed;
}
