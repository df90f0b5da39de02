/**
 * How fast, and in how much memory, a tree is indexed. The trees are generated from a seed, in four languages, so that
 * the same bytes are measured everywhere. `bun run bench indexing huge` adds the tree of 70,000 files (minutes).
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext, Row } from "../bench.ts";

export async function bench(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  const { binary, scratch } = context;
  const home = join(scratch, "index-home");
  const env = { TOKENIX_HOME: home };
  const quiet = { env, runs: 1 };

  const small = writeTree(join(scratch, "small"), 240, 2_000_000);
  const anew = `rm -rf '${home}'; exec '${binary}' index '${small}'`;
  const cold = await context.ratio(["sh", "-c", anew], { env, runs: 7 });
  rows.push({ name: "index: 2 MB cold", value: cold, unit: "E", atMost: 150, note: `${240} files, aim 75` });

  const wide = writeTree(join(scratch, "wide"), 5000, 8_000_000);
  await context.measure([binary, "index", wide], quiet);
  // Stamps as fresh as the tree would be read again by the next run.
  await Bun.sleep(200);
  await context.measure([binary, "index", wide], quiet);
  const idle = await context.ratio([binary, "index", wide], { env, runs: 11 });
  rows.push({ name: "index: nothing changed in 5,000 files", value: idle, unit: "E" });
  const one = join(wide, "one-change.ts");
  const touch = `printf 'export const c%s = 1;\\n' "$(date +%N)" > '${one}' && '${binary}' index '${wide}'`;
  const changed = await context.ratio(["sh", "-c", touch], { env, runs: 11 });
  rows.push({ name: "index: one changed file in 5,000", value: changed, unit: "E", atMost: 15 });

  const large = writeTree(join(scratch, "large"), 4000, 50_000_000);
  const { ms, peakMb } = await context.measure([binary, "index", large], quiet);
  rows.push({ name: "index: 50 MB tree", value: 50_000 / ms, unit: "MB/s", atLeast: 5 });
  rows.push({ name: "index: 50 MB tree, peak memory", value: peakMb, unit: "MB", atMost: 300 });

  // Nobody indexes faster than the parser reads.
  const alone = Bun.spawnSync([process.execPath, join(import.meta.dir, "alone", "parse.ts"), large]);
  const { coldMs, mbPerSecond } = JSON.parse(alone.stdout.toString()) as { coldMs: number; mbPerSecond: number };
  rows.push({ name: "parser alone: 2 MB cold, one thread", value: coldMs / context.emptyMs, unit: "E" });
  rows.push({ name: "parser alone: one thread, warm", value: mbPerSecond, unit: "MB/s" });

  if (process.argv.includes("huge")) {
    const huge = writeTree(join(scratch, "huge"), 70_000, 200_000_000);
    const peak = (await context.measure([binary, "index", huge], quiet)).peakMb;
    rows.push({ name: "index: 70,000 files, peak memory", value: peak, unit: "MB", atMost: 1000 });
  }
  return rows;
}

const STEMS = "user order item cache token index query parse build event route state config buffer stream worker".split(
  " ",
);
const VERBS = "get set load save find make read write check apply merge split start stop open close".split(" ");

/** Writes `files` source files of about `bytes` in all, in folders of fifty; gives the folder back. */
export function writeTree(root: string, files: number, bytes: number): string {
  const random = generator(files);
  const each = bytes / files;
  for (let i = 0; i < files; i++) {
    const dir = join(root, `part${Math.floor(i / 50) % 40}`, `unit${Math.floor(i / 2000)}`);
    mkdirSync(dir, { recursive: true });
    const language = LANGUAGES[i % LANGUAGES.length] as Language;
    let text = language.head(i);
    while (text.length < each) text += language.part(random);
    writeFileSync(join(dir, `${pick(random, VERBS)}_${pick(random, STEMS)}_${i}.${language.extension}`), text);
  }
  return root;
}

interface Language {
  readonly extension: string;
  readonly head: (index: number) => string;
  readonly part: (random: () => number) => string;
}

function name(random: () => number): string {
  const verb = pick(random, VERBS);
  const stem = pick(random, STEMS);
  return `${verb}${stem[0]?.toUpperCase()}${stem.slice(1)}${Math.floor(random() * 997)}`;
}

const LANGUAGES: readonly Language[] = [
  {
    extension: "ts",
    head: (i) => `import { helper } from "../unit${i % 9}/helper.ts";\n\n`,
    part: (r) => `/** Tells whether ${pick(r, STEMS)} needs a ${pick(r, VERBS)}. */
export function ${name(r)}(${pick(r, STEMS)}: string, limit = ${Math.floor(r() * 100)}): boolean {
  const ${pick(r, STEMS)}List = helper(${pick(r, STEMS)}).filter((one) => one.length > limit);
  if (${pick(r, STEMS)}List.length === 0) return ${name(r)}(limit);
  for (const entry of ${pick(r, STEMS)}List) if (entry.${pick(r, STEMS)} === "${pick(r, STEMS)} ${pick(r, VERBS)}") return true;
  return this.${name(r)}(limit + 1);
}

`,
  },
  {
    extension: "py",
    head: (i) => `from .unit${i % 9} import helper\n\n\n`,
    part: (r) => `class ${pick(r, STEMS).toUpperCase()}${Math.floor(r() * 997)}(Base):
    """Keeps a ${pick(r, STEMS)} until the next ${pick(r, VERBS)}."""

    def ${pick(r, VERBS)}_${pick(r, STEMS)}(self, ${pick(r, STEMS)}, limit=${Math.floor(r() * 100)}):
        if not ${pick(r, STEMS)}:
            raise ValueError("no ${pick(r, STEMS)} to ${pick(r, VERBS)}")
        return [helper(one) for one in self.${pick(r, STEMS)}s if one > limit]

    def ${pick(r, VERBS)}_all(self):
        return self.${pick(r, VERBS)}_${pick(r, STEMS)}(None)


`,
  },
  {
    extension: "go",
    head: (i) => `package part${i % 40}\n\nimport "fmt"\n\n`,
    part: (r) => `// ${name(r)} does the ${pick(r, VERBS)} of one ${pick(r, STEMS)}.
func (s *Server) ${name(r)}(ctx Context, ${pick(r, STEMS)} string) (int, error) {
	if ${pick(r, STEMS)} == "" {
		return 0, fmt.Errorf("no ${pick(r, STEMS)}: %w", ErrMissing)
	}
	n := s.${name(r)}(ctx, ${Math.floor(r() * 100)})
	return n, nil
}

`,
  },
  {
    extension: "c",
    head: (i) => `#include "unit${i % 9}.h"\n\n`,
    part: (r) => `/* ${pick(r, VERBS)}s the ${pick(r, STEMS)}. */
static int ${pick(r, VERBS)}_${pick(r, STEMS)}_${Math.floor(r() * 9973)}(struct ${pick(r, STEMS)} *self, int limit) {
  if (self->${pick(r, STEMS)} > limit) return ${pick(r, VERBS)}_${pick(r, STEMS)}(self, limit - 1);
  for (int i = 0; i < limit; i++) self->${pick(r, STEMS)}[i] = ${pick(r, VERBS)}(self, i);
  return ${Math.floor(r() * 100)};
}

`,
  },
];

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
