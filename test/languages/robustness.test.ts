import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extract, extractSync, isGrammarLoaded, loadGrammar } from "../../src/repo/languages/extract.ts";
import { languages } from "../../src/repo/languages/registry.ts";

const names = (extraction: { symbols: { qualifiedName: string }[] }) =>
  extraction.symbols.map((one) => one.qualifiedName);
const withGrammar = [...languages.values()].filter((definition) => definition.grammar !== undefined);
const patient = { timeLimitMs: 20_000 };

describe("a file that is no good", () => {
  test("an empty file has no symbols in any language and no complaint", async () => {
    for (const id of languages.keys()) {
      const extraction = await extract(id, "");
      expect([id, extraction.symbols.length, extraction.gaveUp]).toEqual([id, 0, undefined]);
    }
  }, 60_000);

  test("an unknown language is not parsed, not an exception", async () => {
    expect(await extract("klingon", "qapla'")).toEqual({
      symbols: [],
      imports: [],
      references: [],
      inherits: [],
      parsed: "none",
    });
  });

  test("noise, a lone surrogate and a NUL end in an answer in every grammar", async () => {
    const noise = ")}]>;\ud83d \0 \ufffd 'é\" <<<{{((\n\t\r\n@#$%^&*~`\\|?/ 世界\n";
    for (const { id } of withGrammar) {
      const extraction = await extract(id, noise.repeat(20), patient);
      expect([id, typeof extraction.parsed]).toEqual([id, "string"]);
    }
  }, 60_000);

  test("symbols around a syntax error are still found", async () => {
    const cases: [string, string, string[]][] = [
      ["rust", "fn one() {}\n\nfn broken( { let = ;;; }\n\nfn two() {}\n", ["one", "two"]],
      ["python", "def one():\n    pass\n\ndef broken(:\n    x ==== 3\n\ndef two():\n    pass\n", ["one", "two"]],
      [
        "typescript",
        "function one() {}\n\nconst x = = ;\n\nexport class Two { run() {} }\n",
        ["one", "Two", "Two.run"],
      ],
      ["go", "package x\n\nfunc one() {}\n\nfunc ( {\n\nfunc two() {}\n", ["one"]],
      ["java", "class A {\n  void one() {}\n  void ( ;\n  void two() {}\n}\n", ["A", "A.one", "A.two"]],
    ];
    for (const [id, text, expected] of cases) {
      const extraction = await extract(id, text, patient);
      expect(extraction.hasErrors).toBe(true);
      expect([id, names(extraction)]).toEqual([id, expect.arrayContaining(expected)]);
    }
  });
});

describe("lines are exact", () => {
  const source = "// head\n\nclass A {\n\trun() {\n\t\tgo();\n\t}\n}\n\nfunction b() {}\n";
  const shape = async (text: string) =>
    (await extract("typescript", text, patient)).symbols.map((one) => [one.qualifiedName, one.startLine, one.endLine]);
  const expected = [
    ["A", 3, 7],
    ["A.run", 4, 6],
    ["b", 9, 9],
  ];

  test("with LF, and the same with CRLF", async () => {
    expect(await shape(source)).toEqual(expected);
    expect(await shape(source.replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  test("with U+FFFD, emoji, wide letters and a byte order mark before them", async () => {
    expect(await shape(`\ufeff${source.replace("head", "\ufffd 𝒳😀 説明 é")}`)).toEqual(expected);
  });

  test("without a final line break", async () => {
    expect(await shape(source.trimEnd())).toEqual(expected);
  });

  test("names that are not ASCII are whole", async () => {
    const rust = await extract("rust", "struct Größe;\nimpl Größe { fn länge(&self) { self.größe() } }\n", patient);
    expect(names(rust)).toEqual(["Größe", "Größe.länge"]);
    expect(rust.references.map((one) => `${one.qualifier}.${one.name}`)).toContain("self.größe");
    const python = await extract("python", "def 説明():\n    return 世界()\n", patient);
    expect(names(python)).toEqual(["説明"]);
    expect(python.references.map((one) => one.name)).toEqual(["世界"]);
  });
});

describe("size and depth", () => {
  test("five thousand nested blocks are read without a crash", async () => {
    const deep: [string, string][] = [
      ["javascript", `function a() { ${"(".repeat(5000)}1${")".repeat(5000)}; }\nfunction b() {}\n`],
      ["c", `void a(void) { ${"{".repeat(5000)}${"}".repeat(5000)} }\nvoid b(void) {}\n`],
      ["json", `{"a": ${"[".repeat(5000)}${"]".repeat(5000)}, "b": 1}`],
      ["python", `a = ${"(".repeat(5000)}${")".repeat(5000)}\ndef b(): pass\n`],
      ["html", `${"<div>".repeat(1000)}<p id="b"></p>${"</div>".repeat(1000)}`],
    ];
    for (const [id, text] of deep) {
      const extraction = await extract(id, text, patient);
      expect([id, extraction.gaveUp]).toEqual([id, undefined]);
      expect([id, names(extraction).some((name) => /(?:^|\.)b$/.test(name))]).toEqual([id, true]);
    }
    // Nothing is left broken for the next file.
    expect(names(await extract("rust", "fn next() {}", patient))).toEqual(["next"]);
  }, 60_000);

  test("nesting that is never closed costs its own file at most, and none that comes after it", async () => {
    // In the 64 KB that the runtime has by itself this ran through its static data, and no file was parsed any more.
    const open = `const before = 1;\nx = ${"({a: [{".repeat(4000)}\n`;
    expect((await extract("tsx", open, patient)).gaveUp).toBeUndefined();
    expect(names(await extract("rust", "fn next() {}", patient))).toEqual(["next"]);
    // What a trap leaves behind: a parser in the middle of its work, and the stack as deep as it was.
    const { runtime, renewParser } = await import("../../src/repo/languages/engine/runtime.ts");
    const stack = runtime()?.stack;
    if (!stack) throw new Error("the runtime has not started");
    stack.pointer.value = 64;
    renewParser();
    expect(names(await extract("rust", "fn next() {}", patient))).toEqual(["next"]);
    expect(names(await extract("tsx", "function fine() {}", patient))).toEqual(["fine"]);
  }, 60_000);

  test("Markdown nested deeper than its grammar has room for is not parsed, and the files after it are", async () => {
    const fine = `${"> ".repeat(50)}deep\n\n${" ".repeat(300)}code\n\n# Title\n${"-".repeat(300)}\n`;
    expect(names(await extract("markdown", fine, patient))).toContain("Title");
    const list = Array.from({ length: 300 }, (_, i) => `${"  ".repeat(i)}- item ${i}\n`).join("");
    for (const text of ["> ".repeat(20_000), ">".repeat(300), "- ".repeat(300), "1. ".repeat(300), list]) {
      const { gaveUp } = await extract("markdown", `# Title\n\n${text}\n`, patient);
      expect(gaveUp).toBe("quotes and lists are nested more than 100 deep");
      expect(names(await extract("rust", "fn next() {}", patient))).toEqual(["next"]);
    }
  }, 60_000);

  test("nested functions deeper than the engine's own stack keep their qualified names short enough to store", async () => {
    const text = `${"function f() { ".repeat(300)}${"}".repeat(300)}`;
    const extraction = await extract("javascript", text, patient);
    expect(extraction.symbols.length).toBe(300);
    expect(extraction.symbols[299]?.parent).toBe(298);
  });

  test("a parse that takes too long gives up, says so, and the next file is read as always", async () => {
    // An unclosed JSX tree makes the parser try everything: a clock that runs fast stands for a slow machine.
    const hostile = `const x = ${"<a b={<c d={() => <e>{".repeat(4000)}\n`;
    let clock = 0;
    const late = await extract("tsx", hostile, { timeLimitMs: 1, now: () => (clock += 10) });
    expect(late.gaveUp).toBe("parse took longer than 1 ms");
    expect(late.symbols).toEqual([]);
    expect(names(await extract("tsx", "function fine() {}", patient))).toEqual(["fine"]);
  });

  test("a lexer that fails at every character is ended in time too, though it never asks for progress", async () => {
    // Each character is an error of its own, and makes the lexer fetch the text again: 60,000 took minutes.
    const text = `fn main() {}\n${"'".repeat(60_000)}\n`;
    const late = await extract("gleam", text, { timeLimitMs: 50 });
    expect(late.gaveUp).toBe("parse took longer than 50 ms");
    expect(late.symbols).toEqual([]);
    expect(names(await extract("gleam", "pub fn fine() { 1 }", patient))).toEqual(["fine"]);
  }, 60_000);

  test("when a grammar gives up on SQL its statements are found line by line", async () => {
    let clock = 0;
    const extraction = await extract("sql", "CREATE TABLE a (\n  id INT\n);\n".repeat(3000), {
      timeLimitMs: 1,
      now: () => (clock += 10),
    });
    expect(extraction.gaveUp).toContain("longer than");
    expect(extraction.parsed).toBe("lines");
    expect(extraction.symbols.length).toBe(3000);
    expect(extraction.symbols.slice(0, 1).map((one) => [one.name, one.kind, one.startLine, one.endLine])).toEqual([
      ["a", "table", 1, 3],
    ]);
  });
});

describe("what one parse yields", () => {
  test("symbols are the same with and without edges", async () => {
    const folder = join(import.meta.dir, "fixtures");
    const cases: [string, string][] = [
      ["rust", "rust/store.rs"],
      ["javascript", "javascript/app.jsx"],
      ["kotlin", "kotlin/Store.kt"],
      ["haskell", "haskell/Store.hs"],
      ["cpp", "cpp/shape.cpp"],
    ];
    for (const [id, path] of cases) {
      const text = readFileSync(join(folder, path), "utf8");
      const whole = await extract(id, text, patient);
      const bare = await extract(id, text, { ...patient, edges: false });
      expect(bare.symbols).toEqual(whole.symbols);
      expect(bare.references).toEqual([]);
    }
  });

  test("the synchronous form answers as the asynchronous one once the grammar is loaded", async () => {
    await loadGrammar("go");
    expect(isGrammarLoaded("go")).toBe(true);
    const text = "package x\nfunc one() { two() }\n";
    expect(extractSync("go", text, patient)).toEqual(await extract("go", text, patient));
  });

  test("every query file fits its grammar, with and without edges", async () => {
    for (const { id, level } of withGrammar) {
      const extraction = await extract(id, "x\n", { ...patient, edges: level === "edges" });
      expect([id, extraction.gaveUp]).toEqual([id, undefined]);
      expect([id, (await extract(id, "x\n", { ...patient, edges: false })).gaveUp]).toEqual([id, undefined]);
    }
  });

  test("indexes point at symbols that exist, outer before inner", async () => {
    const folder = join(import.meta.dir, "fixtures");
    for (const [id, path] of [
      ["vue", "vue/Panel.vue"],
      ["typescript", "typescript/client.ts"],
      ["ruby", "ruby/store.rb"],
    ] as const) {
      const { symbols, references } = await extract(id, readFileSync(join(folder, path), "utf8"), patient);
      symbols.forEach((symbol, i) => {
        if (symbol.parent !== undefined) expect(symbol.parent).toBeLessThan(i);
      });
      for (const { inSymbol, line } of references) {
        if (inSymbol === undefined) continue;
        const around = symbols[inSymbol];
        expect((around?.docStartLine ?? 0) <= line && line <= (around?.endLine ?? 0)).toBe(true);
      }
    }
  });
});

describe("types without a name", () => {
  test("an impl for a slice has methods and no inheritance of a nameless child", async () => {
    const { symbols, inherits } = await extract("rust", "impl Shape for [u8] { fn area(&self) {} }\n", patient);
    expect(symbols.map((one) => [one.qualifiedName, one.kind])).toEqual([["area", "method"]]);
    expect(inherits).toEqual([]);
  });
});

describe("dialects", () => {
  test("a header with templates is C++, a plain one is C", async () => {
    const text = "#pragma once\ntemplate <typename T>\nclass Box {\npublic:\n  T get() const { return value; }\n};\n";
    expect(names(await extract("c", text, patient))).toEqual(["Box", "Box.get"]);
    expect(names(await extract("c", "struct box { int value; };\nint get(struct box *b);\n", patient))).toEqual([
      "box",
      "get",
    ]);
  });

  test("a header-only template library is read to its end", async () => {
    const block = (i: number) => `
/// Reader ${i}.
template <typename Basic, template <typename, typename...> class Object = std::map, class Allocator = std::allocator<char>>
class reader_${i} : public base<Basic> {
 public:
  using value_t = typename Basic::value_t;
  template <typename Iterator, typename std::enable_if<std::is_same<Iterator, int>::value, int>::type = 0>
  reader_${i}(Iterator first) : first_(first) {}
  template <class T> auto get() const noexcept(noexcept(std::declval<T>())) -> decltype(std::declval<T>()) {
    JSON_ASSERT(first_ != nullptr);
    return parse<T>(first_, [](const auto& x) { return x < 3 && x > 1; });
  }
 private:
  const char* first_ = nullptr;
};
`;
    const text = `#ifndef JSON_HPP\n#define JSON_HPP\nnamespace nlohmann {\n${Array.from({ length: 80 }, (_, i) => block(i)).join("")}\n}\n#endif\n`;
    const extraction = await extract("cpp", text, patient);
    expect(extraction.gaveUp).toBeUndefined();
    expect(names(extraction)).toContain("nlohmann.reader_79.get");
    expect(names(extraction).filter((name) => /^nlohmann\.reader_\d+$/.test(name)).length).toBe(80);
  });

  test("T-SQL that the grammar does not know is found by lines, next to what it knows", async () => {
    const text = [
      "CREATE TABLE [dbo].[Items] ([Id] INT);",
      "GO",
      "-- Saves.",
      "CREATE OR ALTER PROCEDURE [dbo].[SaveItem] @Id INT AS",
      "BEGIN",
      "  SET NOCOUNT ON",
      "  MERGE INTO Items USING x ON 1 = 1 WHEN MATCHED THEN DELETE;",
      "END",
      "GO",
      "CREATE TRIGGER TR_Items ON Items AFTER INSERT AS PRINT 'x'",
      "GO",
    ].join("\n");
    const { symbols } = await extract("sql", text, patient);
    const found = symbols.map((one) => [one.name, one.startLine, one.endLine]);
    expect(found).toContainEqual(["dbo.SaveItem", 4, 8]);
    expect(found).toContainEqual(["TR_Items", 10, 10]);
    expect(symbols.find((one) => one.name === "dbo.SaveItem")?.docStartLine).toBe(3);
  });
});
