import { expect, test } from "bun:test";
import { chunkText } from "../../src/repo/index/chunk.ts";
import { generatedReason } from "../../src/repo/index/classify.ts";
import type { SymbolRecord } from "../../src/repo/store/records.ts";
import { randomSource } from "../support/random-jsonc.ts";
import { Project } from "./project.ts";

function joined(text: string, symbols: readonly SymbolRecord[] = []): string {
  const { offsets } = chunkText(text, symbols);
  return offsets
    .slice(0, -1)
    .map((start, i) => text.slice(start, offsets[i + 1]))
    .join("");
}

test("chunks of any text with any nesting of symbols partition it, with exact lines", () => {
  const random = randomSource(5);
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: random.below(300) }, () =>
      random.chance(3) ? "x".repeat(random.below(20_000)) : " ".repeat(random.below(8)) + "y".repeat(random.below(90)),
    );
    const text = lines.join(random.chance(20) ? "\r\n" : "\n") + (random.chance(50) ? "\n" : "");
    const symbols: SymbolRecord[] = [];
    const fill = (from: number, to: number, parent: number | undefined, depth: number) => {
      let at = from;
      while (at < to && depth < 4) {
        const start = at + random.below(10);
        const end = start + random.below(Math.max(1, to - start));
        if (end > to || start > to) return;
        const name = `s${symbols.length}`;
        symbols.push({
          name,
          qualifiedName: name,
          kind: "function",
          startLine: start,
          endLine: end,
          docStartLine: Math.max(at, start - random.below(3)),
          signature: name,
          parent,
        });
        fill(start + 1, end - 1, symbols.length - 1, depth + 1);
        at = end + 1;
      }
    };
    fill(1, lines.length, undefined, 0);
    expect(joined(text, symbols)).toBe(text);
    const { chunks, offsets, symbolChunks } = chunkText(text, symbols);
    chunks.forEach((chunk, i) => {
      const before = text.slice(0, offsets[i]).split("\n").length;
      const content = text.slice(offsets[i], offsets[i + 1]);
      const newlines = content.split("\n").length - (content.endsWith("\n") ? 2 : 1);
      expect([chunk.startLine, chunk.endLine]).toEqual([before, before + newlines]);
      expect(Buffer.byteLength(content)).toBe(chunk.endByte - chunk.startByte);
    });
    symbols.forEach((symbol, i) => {
      const chunk = chunks[symbolChunks[i] ?? -1];
      if (!chunk) throw new Error("a symbol without a chunk");
      expect(chunk.startLine <= symbol.startLine && chunk.endLine >= symbol.startLine).toBe(true);
    });
  }
});

test("a large class becomes its head and its methods, and each method keeps its name", async () => {
  using project = new Project();
  const method = (name: string) => `  ${name}() {\n${"    this.work(1, 2, 3);\n".repeat(30)}  }\n`;
  project.write(
    "big.ts",
    `/** Doc. */\nexport class Big {\n${["one", "two", "three", "four"].map(method).join("\n")}}\n`,
  );
  await project.index();
  project.read((store) => {
    const file = store.files.byPath("big.ts");
    const chunks = store.chunks.ofFile(file?.id ?? -1);
    expect(chunks.length).toBeGreaterThanOrEqual(4);
    for (const name of ["one", "two", "three", "four"]) {
      const symbol = store.graph.symbolsNamed(name)[0];
      const chunk = store.chunks.byId(symbol?.chunkId ?? -1);
      expect(chunk?.symbol).toBe(`Big.${name}`);
      expect(store.chunks.text(chunk?.id ?? -1)).toContain(`  ${name}() {`);
    }
  });
});

test("a one-line file of any size is cut inside the line and keeps its line number", () => {
  const text = `{"a": "${"é".repeat(40_000)}"}`;
  const { chunks } = chunkText(text, []);
  expect(joined(text)).toBe(text);
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.every((chunk) => chunk.startLine === 1 && chunk.endLine === 1)).toBe(true);
});

test("minified code and bundles are told from long data and from people's own long lines", () => {
  const minified = `!function(){${"var a=b(c);".repeat(30_000)}}();`;
  expect(generatedReason("vendor/qdb.43f98.js", minified, true)).toContain("minified");
  expect(generatedReason("a.css", ".a{color:red}".repeat(2000), true)).toContain("minified");
  expect(
    generatedReason("dist/main.js", `/******/ (() => { // webpackBootstrap\n${"  var a = 1;\n".repeat(500)}`, true),
  ).toContain("webpack");
  expect(generatedReason("data.json", `[${"1,".repeat(20_000)}1]`, false)).toBeUndefined();
  const withTable = `${"const ordinary = line();\n".repeat(400)}const table = "${"x".repeat(3000)}";\n`;
  expect(generatedReason("a.ts", withTable, true)).toBeUndefined();
  expect(generatedReason("Cargo.lock", "x", false)).toBe("a lock file");
});

test("a header of templates, thousands of lines long, is indexed with its symbols", async () => {
  using project = new Project();
  const one = (i: number) => `template <typename T${i}, typename = std::enable_if_t<is_x<T${i}>::value>>
struct conv_${i} : base<conv_${i}<T${i}>> {
  template <class U> auto operator()(U&& u) const noexcept(noexcept(f(std::forward<U>(u)))) -> decltype(auto) {
    return f<${i}>(std::forward<U>(u)); }
};
#define MACRO_${i}(a, ...) do { conv_${i}<decltype(a)>{}(a); } while (0)
`;
  project.write("json.hpp", Array.from({ length: 1000 }, (_, i) => one(i)).join("\n"));
  const report = await project.index();
  expect(report.totals.files).toBe(1);
  expect(report.outcomes.get("indexed") ?? report.outcomes.get("gave-up")).toBe(1);
});

test("a parse that does not end in time is given up, named, and the file is still there in plain blocks", async () => {
  const { extract } = await import("../../src/repo/languages/extract.ts");
  let clock = 0;
  const text = `${"export const a = <div>{x ? <b>{y}</b> : null}</div>;\n".repeat(4000)}`;
  const result = await extract("tsx", text, { timeLimitMs: 1000, now: () => (clock += 400) });
  expect(result.gaveUp).toContain("1000 ms");
  const { chunks } = chunkText(text, result.symbols);
  expect(chunks.length).toBeGreaterThan(10);
});

test("many small edits do not pile up segments, and every term still leads to its file", async () => {
  using project = new Project();
  for (let i = 0; i < 40; i++) project.write(`f${i}.ts`, `export const start${i} = 1;\n`);
  await project.index();
  for (let i = 0; i < 40; i++) {
    project.write(`f${i}.ts`, `export const final${i} = 1;\n`);
    await project.index();
  }
  const { PostingList, lengthsOf } = await import("../../src/repo/search/postings.ts");
  project.read((store) => {
    const segments = store.lexical.segments();
    expect(segments.length).toBeLessThanOrEqual(24);
    const living = segments.reduce((sum, segment) => sum + segment.chunkCount, 0);
    expect(living).toBe(40);
    for (let i = 0; i < 40; i++) {
      const found: string[] = [];
      for (const [term, kept] of [
        [`final${i}`, true],
        [`start${i}`, false],
      ] as const)
        for (const segment of segments) {
          const list = new PostingList();
          list.append(store.lexical.list(segment, term) ?? new Uint8Array());
          for (let at = 0; at < list.size; at++) {
            const id = list.chunks[at] ?? 0;
            if (!lengthsOf(segment)[id - segment.firstChunk]) continue;
            expect(kept).toBe(true);
            found.push(store.chunks.byId(id)?.path ?? "gone");
          }
        }
      expect(found).toEqual([`f${i}.ts`]);
    }
  });
}, 60_000);

test("two threads write the same index as one", async () => {
  const files = (project: Project) => {
    for (let i = 0; i < 120; i++)
      project.write(`d${i % 7}/f${i}.ts`, `export function name${i}() {\n${`  call${i}(1);\n`.repeat(1200)}}\n`);
  };
  using one = new Project();
  using two = new Project();
  files(one);
  files(two);
  const single = await one.index({ jobs: 1 });
  const double = await two.index({ jobs: 2 });
  expect(double.workers).toBe(navigator.hardwareConcurrency > 1 ? 1 : 0);
  const { files: a, chunks: b, symbols: c } = single.totals;
  expect(double.totals).toMatchObject({ files: a, chunks: b, symbols: c });
  const rows = (project: Project) =>
    project.read((store) =>
      [...store.graph.allSymbols()].map((row) => `${row.path}:${row.startLine} ${row.name}`).sort(),
    );
  expect(rows(two)).toEqual(rows(one));
}, 60_000);
