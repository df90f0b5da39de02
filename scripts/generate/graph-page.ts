/** The page that graph exports are put into, as one string. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dir, "..", "..", "assets", "graph", "page.html");

export async function generate(outDir: string): Promise<void> {
  await Bun.write(
    join(outDir, "graph-page.ts"),
    `export const graphPage: string = ${JSON.stringify(readFileSync(PAGE, "utf8"))};\n`,
  );
}
