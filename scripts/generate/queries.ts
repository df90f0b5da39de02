/**
 * Embeds `assets/queries/*.scm` in `src/generated/queries.ts`: name → query source. A file with a line
 * `; inherits: a, b` has the patterns of those too, so that each pattern stands once; what is no language of its own
 * lies in `shared/`. Both halves of a file, before and after `; edges`, go to their own half. The line stands at the
 * file's head or at its end, as inherited patterns are to come first or last: of two patterns that bind a name, the
 * last one wins.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dir, "..", "..", "assets", "queries");
const INHERITS = /^; inherits: (.+)$/m;
const EDGES = /^; edges$/m;

interface Halves {
  readonly symbols: string;
  readonly edges: string;
}

export async function generate(outDir: string): Promise<void> {
  const names = [...new Bun.Glob("*.scm").scanSync(FOLDER)].map((name) => name.slice(0, -4)).sort();
  const lines = names.map((name) => `  ${JSON.stringify(name)}: ${JSON.stringify(queryText(name))},`);
  await Bun.write(
    join(outDir, "queries.ts"),
    [
      "// Made by scripts/generate/queries.ts.",
      "export const queryTexts: Readonly<Record<string, string>> = {",
      ...lines,
      "};",
      "",
    ].join("\n"),
  );
}

/** The whole query of a language. @throws when a file inherits from one that is missing, or from itself. */
export function queryText(name: string, folder = FOLDER): string {
  const { symbols, edges } = compose(name, folder, []);
  return edges === "" ? symbols : `${symbols}\n; edges\n${edges}`;
}

function compose(name: string, folder: string, above: readonly string[]): Halves {
  const path = [join(folder, `${name}.scm`), join(folder, "shared", `${name}.scm`)].find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${above.at(-1)}.scm inherits from ${name}.scm, which is missing`);
  if (above.includes(name)) throw new Error(`${name}.scm inherits from itself: ${[...above, name].join(" → ")}`);
  const text = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  const isLast = text.trimEnd().endsWith(INHERITS.exec(text)?.[0] ?? "\0");
  const [symbols = "", edges = ""] = text.replace(INHERITS, "").split(EDGES);
  const parents = (INHERITS.exec(text)?.[1]?.split(",") ?? []).map((parent) =>
    compose(parent.trim(), folder, [...above, name]),
  );
  const joined = (half: (one: Halves) => string, own: string): string =>
    [...(isLast ? [own.trim()] : []), ...parents.map(half), ...(isLast ? [] : [own.trim()])].filter(Boolean).join("\n");
  return { symbols: joined((one) => one.symbols, symbols), edges: joined((one) => one.edges, edges) };
}
