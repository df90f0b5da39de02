/** Reads every import of `src/` and fails on an arrow that goes up the house. */
import { expect, test } from "bun:test";
import { dirname, join, relative, resolve } from "node:path";

const SRC = join(import.meta.dir, "..", "src");

/** Lower numbers lie lower; a room may import rooms of a lower number and itself. */
const LEVEL: Readonly<Record<string, number>> = {
  platform: 0,
  generated: 0,
  repo: 1,
  output: 1,
  agents: 2,
  insight: 3,
  update: 4,
  serve: 4,
  tui: 4,
  cli: 4,
};

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly dynamic: boolean;
}

async function arrows(): Promise<Arrow[]> {
  const found: Arrow[] = [];
  const transpiler = new Bun.Transpiler({ loader: "tsx" });
  for (const name of new Bun.Glob("**/*.{ts,tsx}").scanSync(SRC)) {
    if (name.startsWith("generated/")) continue;
    const source = await Bun.file(join(SRC, name)).text();
    // The transpiler drops type-only imports, which make no arrow at run time but do in the reader's head: both count.
    const types = [...source.matchAll(/import\s+type\s[^"']*from\s+["']([^"']+)["']/g)].map((match) => match[1] ?? "");
    for (const one of transpiler.scanImports(source))
      found.push({ from: name, to: one.path, dynamic: one.kind === "dynamic-import" });
    for (const path of types) found.push({ from: name, to: path, dynamic: false });
  }
  return found;
}

function roomOf(path: string): string | undefined {
  const parts = path.replaceAll("\\", "/").split("/");
  return parts.length > 1 ? parts[0] : undefined;
}

test("imports follow the arrows of the house, never upwards", async () => {
  const wrong: string[] = [];
  for (const { from, to } of await arrows()) {
    if (!to.startsWith(".")) continue;
    const target = relative(SRC, resolve(SRC, dirname(from), to)).replaceAll("\\", "/");
    // What is embedded lies outside the house and knows nobody.
    if (target.startsWith("../assets/")) continue;
    const [here, there] = [roomOf(from), roomOf(target)];
    if (here === undefined || there === undefined || here === there) continue;
    const [low, high] = [LEVEL[there], LEVEL[here]];
    if (low === undefined || high === undefined) wrong.push(`${from} -> ${target}: a room that is not in the plan`);
    else if (low > high) wrong.push(`${from} -> ${target} goes up`);
    else if (low === high && low === 1) wrong.push(`${from} -> ${target}: repo and output do not know each other`);
  }
  expect(wrong).toEqual([]);
});

test("only the store and the platform's lock open SQLite for the index", async () => {
  const wrong = (await arrows())
    .filter(({ to }) => to === "bun:sqlite")
    .map(({ from }) => from)
    .filter((from) => !/^(repo\/store|repo\/snapshot|platform|agents\/transcripts)\//.test(from));
  expect(wrong).toEqual([]);
});

test("the door imports nothing statically", async () => {
  const statics = (await arrows()).filter(({ from, dynamic }) => from === "main.ts" && !dynamic);
  expect(statics).toEqual([]);
});

test("every import names its file with its ending", async () => {
  const wrong = (await arrows())
    .filter(({ to }) => to.startsWith(".") && !/\.(ts|tsx|json|scm|wasm|zst|bin|html|css|txt|node)$/.test(to))
    .map(({ from, to }) => `${from} -> ${to}`);
  expect(wrong).toEqual([]);
});
