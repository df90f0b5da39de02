/** Lists `src/repo/languages/definitions/` as `src/generated/languages.ts`: adding a language touches no other file. */
import { join } from "node:path";

const root = join(import.meta.dir, "..", "..");

export async function generate(outDir: string): Promise<void> {
  const folder = join(root, "src/repo/languages/definitions");
  const names = [...new Bun.Glob("*.ts").scanSync(folder)].map((name) => name.slice(0, -3)).sort();
  const lines = [
    "// Made by scripts/generate/languages.ts.",
    'import type { LanguageDefinition } from "../repo/languages/definition.ts";',
    ...names.map((name, i) => `import d${i} from "../repo/languages/definitions/${name}.ts";`),
    "",
    "const lists: readonly (LanguageDefinition | readonly LanguageDefinition[])[] = [",
    ...names.map((_, i) => `  d${i},`),
    "];",
    "export const definitions: readonly LanguageDefinition[] = lists.flat();",
    "",
  ];
  await Bun.write(join(outDir, "languages.ts"), lines.join("\n"));
}
