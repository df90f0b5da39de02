/** Questions to the graph of 30,000 chunks, one shot each: whole processes in E. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext, Row } from "../bench.ts";

const FILES = 1500;
const FUNCTIONS = 20;

export async function bench(context: BenchContext): Promise<Row[]> {
  const root = join(context.scratch, "graph");
  const env = { TOKENIX_HOME: join(context.scratch, "graph-home") };
  writeRepository(root);
  const index = Bun.spawnSync([context.binary, "index", "--no-embed"], { cwd: root, env: { ...process.env, ...env } });
  if (!index.success) throw new Error(`indexing failed: ${index.stderr.toString()}`);
  const ratio = (...args: string[]) => context.ratio([context.binary, ...args], { runs: 11, cwd: root, env });
  return [
    { name: "graph: callers, 30,000 functions", value: await ratio("callers", "work700_3"), unit: "E", atMost: 12 },
    {
      name: "graph: impact --depth 3, 30,000 functions",
      value: await ratio("impact", "work700_3", "--depth", "3"),
      unit: "E",
      atMost: 12,
    },
  ];
}

/** Each file imports the two before it and calls into them, so that every function has callers and callers of callers. */
function writeRepository(root: string): void {
  for (let file = 0; file < FILES; file++) {
    const dir = join(root, "src", `part${Math.floor(file / 50)}`);
    mkdirSync(dir, { recursive: true });
    const before = [file - 1, file - 2].filter((one) => one >= 0);
    const lines = before.map((one) => {
      const names = Array.from({ length: FUNCTIONS }, (_, n) => `work${one}_${n}`).join(", ");
      return `import { ${names} } from "../part${Math.floor(one / 50)}/file${one}";`;
    });
    for (let n = 0; n < FUNCTIONS; n++) {
      const calls = before.map((one) => `work${one}_${n}(value + ${n})`).join(" + ") || "value";
      lines.push(`/** Step ${n} of part ${file}. */`, `export function work${file}_${n}(value: number): number {`);
      for (let line = 0; line < 10; line++)
        lines.push(`  const local${line} = value * ${line + n} + ${file}; // keeps the chunk apart`);
      lines.push(`  return ${calls} + local3;`, "}", "");
    }
    writeFileSync(join(dir, `file${file}.ts`), lines.join("\n"));
  }
}
