/** Walks, cycles, communities, exports, blast radius: each on a graph small enough to check by eye. */
import { describe, expect, test } from "bun:test";
import { blast, changedFiles, parseDiff } from "../../src/repo/graph/blast.ts";
import { communities, louvain } from "../../src/repo/graph/communities.ts";
import { components, fileCycles, symbolCycles } from "../../src/repo/graph/cycles.ts";
import { drawWalk, toDot, toHtml, toMermaid } from "../../src/repo/graph/drawing.ts";
import { findSymbol } from "../../src/repo/graph/find.ts";
import { flow, impact, pathBetween } from "../../src/repo/graph/traverse.ts";
import { overview, pageRank, wholeGraph } from "../../src/repo/graph/whole.ts";
import { callersOf, certainEdges, type Files, Project, pick } from "./support.ts";

const CHAIN: Files = {
  "a.ts": 'import { b } from "./b";\nexport function a() {\n  b();\n}\n',
  "b.ts": 'import { c } from "./c";\nexport function b() {\n  c();\n}\n',
  "c.ts": "export function c() {\n  return 1;\n}\nexport function alone() {}\n",
  "a.test.ts": 'import { a } from "./a";\nfunction checks() {\n  a();\n}\n',
};

async function project(files: Files): Promise<Project> {
  const made = new Project(files);
  await made.index();
  return made;
}

describe("walks", () => {
  test("impact goes up the callers to its depth, and says when it was cut", async () => {
    using chain = await project(CHAIN);
    chain.ask((graph) => {
      const names = (depth: number, limit = 100) => {
        const { steps, truncated } = impact(graph, pick(graph, "c"), { depth, limit });
        return { names: steps.map((step) => `${step.depth} ${step.name}`), truncated };
      };
      expect(names(1)).toEqual({ names: ["1 b"], truncated: true });
      expect(names(3)).toEqual({ names: ["1 b", "2 a", "3 checks"], truncated: false });
      expect(names(9, 2)).toEqual({ names: ["1 b", "2 a"], truncated: true });
      expect(impact(graph, pick(graph, "alone"), { depth: 3, limit: 9 })).toEqual({ steps: [], truncated: false });
    });
  });

  test("flow goes down, a path is the shortest chain, and there is none the other way", async () => {
    using chain = await project(CHAIN);
    chain.ask((graph) => {
      const options = { depth: 5, limit: 100 };
      expect(flow(graph, pick(graph, "a"), options).steps.map((step) => step.name)).toEqual(["b", "c"]);
      const there = pathBetween(graph, pick(graph, "checks"), pick(graph, "c"), options);
      expect(there.hops?.map((hop) => hop.node.name)).toEqual(["checks", "a", "b", "c"]);
      expect(pathBetween(graph, pick(graph, "c"), pick(graph, "a"), options)).toEqual({
        hops: undefined,
        truncated: false,
      });
      expect(pathBetween(graph, pick(graph, "checks"), pick(graph, "c"), { depth: 1, limit: 100 })).toEqual({
        hops: undefined,
        truncated: true,
      });
    });
  });

  test("a strict walk follows no guess", async () => {
    using guessed = await project({
      "a.ts": "export class Only {\n  special() {}\n}\n",
      "b.ts": "export function go(x: any) {\n  x.special();\n}\n",
    });
    guessed.ask((graph) => {
      const walk = (strict: boolean) =>
        impact(graph, pick(graph, "Only.special"), { depth: 3, limit: 9, strict }).steps;
      expect(walk(false).map((step) => step.certainty)).toEqual(["inferred"]);
      expect(walk(true)).toEqual([]);
    });
  });

  test("a cycle of calls ends the walk, not the program", async () => {
    using round = await project({ "a.ts": "export function a() {\n  b();\n}\nfunction b() {\n  a();\n}\n" });
    round.ask((graph) =>
      expect(impact(graph, pick(graph, "a"), { depth: 50, limit: 100 })).toMatchObject({ truncated: false }),
    );
  });
});

describe("names", () => {
  test("a symbol is found by name, by owner, by path and by line; an unknown one is refused with near names", async () => {
    using two = await project({
      "x/a.ts": "export class Store {\n  save() {}\n}\n",
      "y/b.ts": "export class Cache {\n  save() {}\n}\n",
    });
    two.ask((graph) => {
      const found = (text: string) => findSymbol(graph, text).nodes.map((node) => `${node.path}#${node.qualifiedName}`);
      expect(found("Store.save")).toEqual(["x/a.ts#Store.save"]);
      expect(found("Store::save")).toEqual(["x/a.ts#Store.save"]);
      expect(found("y/b.ts:save")).toEqual(["y/b.ts#Cache.save"]);
      expect(found("b.ts:2")).toEqual(["y/b.ts#Cache.save"]);
      expect(findSymbol(graph, "save")).toMatchObject({ isAmbiguous: true });
      expect(findSymbol(graph, "Store")).toMatchObject({ isAmbiguous: false });
      expect(() => found("sav")).toThrow("there is no symbol 'sav'");
      try {
        found("Stor");
      } catch (error) {
        expect((error as { hint: string }).hint).toContain("Store");
      }
    });
  });
});

describe("cycles", () => {
  test("components are found without recursion, however deep", () => {
    const deep = Array.from({ length: 200_000 }, (_, i) => (i === 199_999 ? [0] : [i + 1]));
    expect(components(deep)[0]).toHaveLength(200_000);
    expect(components([[1], [2], [0], [0], [4]])).toEqual([[0, 1, 2], [4]]);
    expect(components([[1, 2], [3], [3], []])).toEqual([]);
  });

  test("cycles of calls and of imports carry a place for each step; homonyms make none", async () => {
    using round = await project({
      "a.ts": 'import { b } from "./b";\nexport function a() {\n  b();\n}\n',
      "b.ts": 'import { a } from "./a";\nexport function b() {\n  a();\n}\n',
      "c.ts": "export class C {\n  run(x: any) {\n    x.go();\n  }\n}\n",
      "d.ts": "export class D {\n  go(x: any) {\n    x.run();\n  }\n}\n",
    });
    round.ask((graph) => {
      expect(symbolCycles(graph)).toEqual([
        {
          size: 2,
          steps: [
            { name: "a", path: "a.ts", line: 3 },
            { name: "b", path: "b.ts", line: 3 },
          ],
        },
      ]);
      expect(fileCycles(graph)).toEqual([
        {
          size: 2,
          steps: [
            { name: "a.ts", path: "a.ts", line: 1 },
            { name: "b.ts", path: "b.ts", line: 1 },
          ],
        },
      ]);
    });
  });
});

describe("the whole", () => {
  test("ranks sum to one and flow to what is used", () => {
    const rank = pageRank({ out: [[2], [2], [3], []] });
    expect([...rank].reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
    expect(rank[3]).toBeGreaterThan(rank[2] ?? 0);
    expect(rank[2]).toBeGreaterThan(rank[0] ?? 0);
    expect([...pageRank({ out: [] })]).toEqual([]);
  });

  test("the overview counts each kind of certainty and leads with what most depends on", async () => {
    using chain = await project({
      "a.ts":
        'import { parse } from "./b";\nexport function load() {\n  parse();\n}\nexport function main() {\n  load();\n}\n',
      "b.ts": "export function parse() {\n  return 1;\n}\n",
    });
    chain.ask((graph) => {
      const told = overview(wholeGraph(graph), 3);
      expect(told.leaders.map((one) => [one.node.name, one.reach])).toEqual([
        ["parse", 2],
        ["load", 1],
      ]);
      expect(told.byCertainty).toMatchObject({ resolved: 2, inferred: 0, ambiguous: 0 });
    });
  });

  test("two dense groups with one bridge are two communities, the same for every run", () => {
    const clique = (base: number) =>
      [0, 1, 2, 3].map((i) => new Map([0, 1, 2, 3].filter((j) => j !== i).map((j) => [base + j, 1])));
    const graph = [...clique(0), ...clique(4)];
    graph[3]?.set(4, 1);
    graph[4]?.set(3, 1);
    const found = louvain(graph, 1);
    expect(new Set(found.slice(0, 4)).size).toBe(1);
    expect(new Set(found.slice(4)).size).toBe(1);
    expect(found[0]).not.toBe(found[4]);
    expect(louvain(graph, 1)).toEqual(found);
    expect(louvain([], 1)).toEqual([]);
  });

  test("communities are named by where they lie", async () => {
    using chain = await project(CHAIN);
    chain.ask((graph) => {
      const { communities: found } = communities(wholeGraph(graph));
      expect(found.flatMap(({ members }) => members.map((node) => node.name)).sort()).toEqual([
        "a",
        "b",
        "c",
        "checks",
      ]);
    });
  });
});

describe("drawings", () => {
  test("every form names the nodes and marks guesses; names can't break out of them", async () => {
    using evil = await project({
      "a.ts": "export function a() {}\nexport function b() {\n  a();\n}\n",
      "</script><b>.ts": 'import { a } from "../a";\nexport function c() {\n  a();\n}\n',
    });
    const drawing = evil.ask((graph) => {
      const start = pick(graph, "a");
      return drawWalk('impact of "a"', start, impact(graph, start, { depth: 2, limit: 9 }), true);
    });
    const html = await toHtml(drawing);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toContain("</script><b>");
    expect(html).not.toMatch(/(?:src|href)=["']?https?:/);
    expect(JSON.parse(/type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? "")).toEqual(
      JSON.parse(JSON.stringify(drawing)),
    );
    expect(toDot(drawing)).toContain('digraph "impact of \\"a\\""');
    expect(toMermaid(drawing)).toStartWith("flowchart LR\n");
    expect(
      toMermaid(drawing)
        .split("\n")
        .filter((line) => line.includes("-->")),
    ).toHaveLength(2);
  });

  test("Mermaid keeps within the edges that a browser draws, and says what it left out", () => {
    const nodes = Array.from({ length: 600 }, (_, i) => ({
      label: `n${i}`,
      kind: "function",
      path: "a.ts",
      line: i,
      root: i === 0,
      guess: false,
    }));
    const edges = nodes.slice(1).map((_, i) => ({ from: i + 1, to: 0, guess: false }));
    const text = toMermaid({ title: "t", nodes, edges, truncated: true });
    expect(text.split("\n").filter((line) => line.includes("-->"))).toHaveLength(480);
    expect(text).toContain("119 edges left out");
  });
});

describe("blast radius", () => {
  test("a diff is read: ranges, deletions, odd names", () => {
    const diff =
      'diff --git a/x b/x\n--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,2 @@\n+a\n@@ -9,3 +10,0 @@\n-b\n--- a/old.ts\n+++ /dev/null\n@@ -1,2 +0,0 @@\n--- "a/\\303\\274 x.ts"\n+++ "b/\\303\\274 x.ts"\n@@ -3 +3 @@\n';
    expect(parseDiff(diff)).toEqual([
      {
        path: "x.ts",
        ranges: [
          [1, 2],
          [10, 11],
        ],
        isDeleted: false,
      },
      { path: "old.ts", ranges: [[1, 1]], isDeleted: true },
      { path: "ü x.ts", ranges: [[3, 3]], isDeleted: false },
    ]);
  });

  test("changed lines reach their symbols, the callers, and the tests", async () => {
    using chain = await project(CHAIN);
    const git = (...args: string[]) =>
      Bun.spawnSync(["git", "-c", "user.email=t@example.test", "-c", "user.name=T", ...args], { cwd: chain.root });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "one");
    expect(await changedFiles(chain.root, undefined)).toEqual([]);
    chain.write({
      "c.ts": "export function c() {\n  return 2;\n}\nexport function alone() {}\n",
      "new.ts": "export function fresh() {}\n",
    });
    await chain.index();
    const files = await changedFiles(chain.root, "HEAD");
    chain.ask((graph) => {
      const { changed, walk, tests } = blast(graph, files, { depth: 5, limit: 100 });
      expect(changed.map(({ file, symbols }) => [file.path, symbols.map((node) => node.name)])).toEqual([
        ["c.ts", ["c"]],
        ["new.ts", ["fresh"]],
      ]);
      expect(walk.steps.map((step) => step.name)).toEqual(["b", "a", "checks"]);
      expect(tests).toEqual(["a.test.ts:2 checks"]);
    });
    await expect(changedFiles(chain.root, "no-such-ref")).rejects.toThrow("git can't compare with 'no-such-ref'");
    await expect(changedFiles(chain.root, "--output=x")).rejects.toThrow("no git revision");
  });
});

describe("an incremental index", () => {
  test("has the graph of a full rebuild after every one of many random changes", async () => {
    using grown = await project(CHAIN);
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
      return state % below;
    };
    const names = ["f0", "f1", "f2", "f3", "f4"];
    for (let round = 0; round < 12; round++) {
      const file = `m${random(4)}.ts`;
      if (random(5) === 0 && round > 3) {
        try {
          grown.remove(file);
        } catch {
          // Was not there.
        }
      } else {
        const own = names[random(5)];
        const other = `m${random(4)}`;
        grown.write({
          [file]: `import { ${names[random(5)]} } from "./${other}";\nexport function ${own}() {\n  ${names[random(5)]}();\n  a.${names[random(5)]}();\n}\nexport class K${random(3)} extends K${random(3)} {\n  ${own}() {\n    this.${own}();\n  }\n}\n`,
        });
      }
      await grown.index();
      const step = grown.ask((graph) => certainEdges(graph));
      using fresh = new Project({});
      for (const path of new Bun.Glob("**/*.ts").scanSync(grown.root))
        fresh.write({ [path]: await Bun.file(`${grown.root}/${path}`).text() });
      await fresh.index();
      expect(step).toEqual(fresh.ask((graph) => certainEdges(graph)));
    }
    await grown.index(true);
    expect(grown.ask((graph) => callersOf(graph, "c"))).toEqual(["b.ts:3 b resolved"]);
  }, 120_000);
});
