import { describe, expect, test } from "bun:test";
import { countTokens } from "../../src/platform/tokens.ts";
import { fitBudget } from "../../src/repo/search/budget.ts";
import { type DefinitionHit, definitionBonus } from "../../src/repo/search/definitions.ts";
import { compileFilters } from "../../src/repo/search/filters.ts";
import { mix } from "../../src/repo/search/fuse.ts";
import { fileNameShares, isNamedAfter } from "../../src/repo/search/names.ts";
import { readQuestion } from "../../src/repo/search/question.ts";
import {
  applyRules,
  isTestPath,
  oneChunkAFileFirst,
  pathFactor,
  type Ranked,
  RULES,
} from "../../src/repo/search/rules.ts";
import { SCORES_A_MAXIMUM, topK } from "../../src/repo/search/topk.ts";

describe("the budget", () => {
  const chunk = Array.from({ length: 40 }, (_, at) => `line ${at} of some code that goes on`).join("\n");

  test.each([50, 200, 600, 1200])("of %d tokens is kept", (budget) => {
    const shown = fitBudget([chunk, chunk, chunk, chunk], budget);
    const spent = shown.reduce((sum, part) => sum + countTokens(part.text), 0);
    expect(spent).toBeLessThanOrEqual(Math.max(budget, 45));
    expect(shown[0]?.text.length).toBeGreaterThan(0);
  });

  test("says how many lines a cut left out", () => {
    const [only] = fitBudget([chunk], 100);
    expect((only?.text.split("\n").length ?? 0) + (only?.linesOmitted ?? 0)).toBe(40);
  });

  test("leaves room for a second place", () => {
    expect(fitBudget([chunk, "short"], 400)[1]?.text).toBe("short");
  });
});

describe("filters", () => {
  const keep = (options: Parameters<typeof compileFilters>[0], path: string, language = "go"): boolean =>
    compileFilters(options, () => ["go", "python", "csharp"])?.(path, language) ?? true;

  test("globs, folders and parts of a path", () => {
    expect(keep({ path: ["src/**/*.go"] }, "src/a/b.go")).toBe(true);
    expect(keep({ path: ["*.go"] }, "deep/down/b.go")).toBe(true);
    expect(keep({ path: ["./src/"] }, "src/b.go")).toBe(true);
    expect(keep({ path: ["src"] }, "lib/b.go")).toBe(false);
  });

  test("`!` excludes, and wins over what is wanted", () => {
    expect(keep({ path: ["src", "!src/gen"] }, "src/gen/b.go")).toBe(false);
    expect(keep({ ext: ["!md"] }, "README.md")).toBe(false);
    expect(keep({ ext: ["!md"] }, "a.go")).toBe(true);
  });

  test("languages by their short names, and the nearest is offered", () => {
    expect(keep({ lang: ["py"] }, "a.py", "python")).toBe(true);
    expect(keep({ lang: ["c#"] }, "a.cs", "csharp")).toBe(true);
    expect(() => compileFilters({ lang: ["pyhton"] }, () => ["python"])).toThrow("pyhton");
  });

  test("several flags must all hold", () => {
    expect(keep({ path: ["src"], lang: ["go"] }, "src/a.py", "python")).toBe(false);
  });
});

describe("reading a question", () => {
  test.each([
    ["parseRequest", "parseRequest", undefined],
    ["Router.addRoute", "addRoute", "Router"],
    ["std::vec::Vec", "Vec", "vec"],
    ["_private", "_private", undefined],
    ["HttpClient()", "HttpClient", undefined],
    ["how are routes matched", undefined, undefined],
    ["routing", undefined, undefined],
    ["router.ts", undefined, undefined],
    ["src/http/router", undefined, undefined],
    ["console.log", "log", "console"],
  ])("%s", (query, symbol, qualifier) => {
    const question = readQuestion(query);
    expect(question.symbol).toBe(symbol);
    expect(question.qualifier).toBe(qualifier);
  });

  test("names inside prose are seen", () => {
    expect(readQuestion("where is parse_header called by HttpServer").embeddedSymbols).toEqual([
      "parse_header",
      "HttpServer",
    ]);
  });
});

describe("the rules", () => {
  const order = (query: string, paths: readonly string[]): string[] => {
    const pool = paths.map(
      (path, at): Ranked => ({
        head: { id: at + 1, path, startLine: 1, endLine: 9, kind: "block", tokens: 9 },
        score: 1,
        reasons: new Set(),
      }),
    );
    return applyRules(pool, readQuestion(query), []).map((entry) => entry.head.path);
  };

  test("an old version stands behind the newer one beside it, unless it is named", () => {
    const paths = ["src/v3/parse.ts", "src/v4/parse.ts"];
    expect(order("parse a schema", paths)).toEqual(["src/v4/parse.ts", "src/v3/parse.ts"]);
    expect(order("parse a schema in v3", paths)[0]).toBe("src/v3/parse.ts");
  });

  test("a lone version folder is no old version", () => {
    expect(order("parse", ["src/v1/other.ts", "lib/parse.ts"])).toContain("src/v1/other.ts");
    expect(pathFactor("src/v1/other.ts", readQuestion("other"), RULES)).toBe(1);
  });

  test.if(process.platform !== "win32")("another platform's twin stands behind this one's, unless it is named", () => {
    const paths = ["src/win/pipe.c", "src/unix/pipe.c"];
    expect(order("open a pipe", paths)[0]).toBe("src/unix/pipe.c");
    expect(order("open a pipe on windows", paths)[0]).toBe("src/win/pipe.c");
  });

  test("tests, examples, documents and barrels are demoted until they are asked for", () => {
    const factor = (path: string, query: string): number => pathFactor(path, readQuestion(query), RULES);
    for (const path of ["src/router_test.go", "examples/a.py", "CHANGELOG.md", "pkg/__init__.py", "lib/a.d.ts"])
      expect(factor(path, "how does it start")).toBeLessThan(1);
    expect(factor("src/router_test.go", "tests of the router")).toBe(1);
    expect(factor("examples/a.py", "examples of use")).toBe(1);
    expect(factor("docs/a.md", "documentation of the router")).toBe(1);
    expect(factor("src/router.go", "how does it start")).toBe(1);
  });

  test("a word that most file names hold says less of a file than one that few hold", () => {
    const paths = ["acme/acme_codes.cs", "acme/acme_reader.cs", "acme/acme_writer.cs", "acme/other.cs"];
    const shares = fileNameShares(paths, ["acme", "codes", "binary"]);
    // Counted alike, the common word alone would be worth half of both.
    expect(shares.get("acme/acme_reader.cs") ?? 1).toBeLessThan(0.4 * (shares.get("acme/acme_codes.cs") ?? 0));
    expect(shares.get("acme/other.cs")).toBe(shares.get("acme/acme_reader.cs"));
  });

  test("words that differ by their ending meet in a file name, short stems do not", () => {
    expect([...fileNameShares(["src/serializer.ts", "src/other.ts"], ["serialized"]).keys()]).toEqual([
      "src/serializer.ts",
    ]);
    expect(fileNameShares(["src/moment.ts"], ["moving"]).size).toBe(0);
    expect(fileNameShares(["src/a.ts"], []).size).toBe(0);
  });

  const bonusOf = (lines: readonly number[]): number[] => {
    const hits = lines.map(
      (count, id): DefinitionHit => ({
        id,
        name: "Queue",
        whole: true,
        qualified: false,
        definition: { chunk: id, name: "Queue", qualifiedName: "Queue", kind: "class", startLine: 1, endLine: count },
      }),
    );
    const bonus = definitionBonus(hits, RULES);
    return hits.map((hit) => bonus(hit, "src/x.ts"));
  };

  test("of several definitions of a name the substantial one comes first", () => {
    const [facade = 0, real = 0] = bonusOf([4, 300]);
    expect(facade).toBeLessThan(real);
    expect(facade).toBeGreaterThan(real * RULES.slightDefinition);
    expect(bonusOf([4])).toEqual([RULES.definition]);
  });

  test("each further chunk of a file waits for other files", () => {
    const heads = ["a.ts", "a.ts", "b.ts"].map((path, at) => ({
      id: at,
      path,
      startLine: at,
      endLine: at,
      kind: "x",
      tokens: 1,
    }));
    const pool = heads.map((head, at): Ranked => ({ head, score: [1, 0.9, 0.6][at] ?? 0, reasons: new Set() }));
    expect(oneChunkAFileFirst(pool, 0.5).map((entry) => entry.head.path)).toEqual(["a.ts", "b.ts", "a.ts"]);
  });
});

describe("the parts", () => {
  test("top k agrees with sorting, ties by position", () => {
    const scores = Float32Array.from({ length: 500 }, (_, at) => (at * 7919) % 97);
    const sorted = [...scores]
      .map((score, at) => ({ id: at + 10, score }))
      .filter((one) => one.score > 0)
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, 20);
    expect(topK(scores, 20, 10)).toEqual(sorted);
    const groups = Math.ceil(scores.length / SCORES_A_MAXIMUM);
    const maxima = Float32Array.from({ length: groups }, (_, group) =>
      Math.max(...scores.subarray(group * SCORES_A_MAXIMUM, (group + 1) * SCORES_A_MAXIMUM)),
    );
    expect(topK(scores, 20, 10, undefined, maxima)).toEqual(sorted);
    const isEven = (id: number): boolean => id % 2 === 0;
    expect(topK(scores, 20, 10, isEven, maxima)).toEqual(topK(scores, 20, 10, isEven));
  });

  test("fusion divides each side by its best", () => {
    const side = (best: number, score: number) => ({ best, scoreOf: () => score });
    expect(mix(1, side(20, 10), side(0.5, 0.5), 0.5)).toBeCloseTo(0.75);
    expect(mix(1, side(20, 10), undefined, 0.5)).toBeCloseTo(0.5);
  });

  test("test places are told from code that only speaks of tests", () => {
    expect(isTestPath("src/test_runner.py")).toBe(true);
    expect(isTestPath("pkg/router_test.go")).toBe(true);
    expect(isTestPath("src/latest/contest.ts")).toBe(false);
  });

  test("files are named after a symbol in every spelling", () => {
    expect(isNamedAfter("src/cookie_jar.rs", "CookieJar")).toBe(true);
    expect(isNamedAfter("lib/cookies.py", "Cookie")).toBe(true);
    expect(isNamedAfter("lib/cook.py", "Cookie")).toBe(false);
  });
});
