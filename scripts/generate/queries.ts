/** Embeds `assets/queries/*.scm` as text in `src/generated/queries.ts`: name → query source. */
import { join, relative } from "node:path";

const root = join(import.meta.dir, "..", "..");

export async function generate(outDir: string): Promise<void> {
  const folder = join(root, "assets/queries");
  const names = [...new Bun.Glob("*.scm").scanSync(folder)].map((name) => name.slice(0, -4)).sort();
  const path = relative(outDir, folder).replaceAll("\\", "/");
  const lines = [
    "// Made by scripts/generate/queries.ts.",
    ...names.map((name, i) => `import q${i} from "${path}/${name}.scm" with { type: "text" };`),
    "",
    "export const queryTexts: Readonly<Record<string, string>> = {",
    ...names.map((name, i) => `  ${JSON.stringify(name)}: q${i},`),
    "};",
    "",
  ];
  await Bun.write(join(outDir, "queries.ts"), lines.join("\n"));
  await Bun.write(
    join(outDir, "scm.d.ts"),
    'declare module "*.scm" {\n  const text: string;\n  export default text;\n}\n',
  );
}
