import { describe, expect, test } from "bun:test";
import { familyOf, languageOf, languages } from "../../src/repo/languages/registry.ts";

describe("the language of a file is told by its name", () => {
  const cases: [string, string | undefined][] = [
    ["src/main.rs", "rust"],
    ["a/b/C.JAVA", "java"],
    ["types.d.ts", "typescript"],
    ["Panel.tsx", "tsx"],
    ["Dockerfile", "dockerfile"],
    ["docker/Dockerfile.dev", "dockerfile"],
    ["prod.dockerfile", "dockerfile"],
    ["Makefile", "makefile"],
    ["GNUmakefile", "makefile"],
    ["Makefile.am", "makefile"],
    ["Rakefile", "ruby"],
    ["Gemfile", "ruby"],
    ["CMakeLists.txt", "cmake"],
    ["notes.txt", "text"],
    ["README", "text"],
    [".bashrc", "bash"],
    [".gitignore", "ignore"],
    ["C:\\repo\\src\\main.go", "go"],
    ["説明.py", "python"],
    ["query.sql", "sql"],
    ["Module1.bas", "vb"],
    ["main.tf", "hcl"],
    ["Cargo.lock", "toml"],
    ["yarn.lock", "lockfile"],
    ["photo.xyz", undefined],
    ["bin/tool", undefined],
    [".hidden", undefined],
  ];
  for (const [path, expected] of cases) {
    test(`${path} is ${expected ?? "unknown"}`, () => expect(languageOf(path)).toBe(expected));
  }
});

describe("the first line tells what the name does not", () => {
  const cases: [string, string | undefined][] = [
    ["#!/usr/bin/env python3", "python"],
    ["#!/usr/bin/python3.12 -u", "python"],
    ["#!/usr/bin/env -S node --no-warnings", "javascript"],
    ["#!/usr/bin/env FOO=1 ruby", "ruby"],
    ["#! /bin/sh", "bash"],
    ["#!/usr/local/bin/zsh -l", "bash"],
    ["#!/usr/bin/env pwsh", "powershell"],
    ["#!/usr/bin/perl -w", "perl"],
    ["#!/usr/bin/env Rscript", "r"],
    ["#!/opt/unknown", undefined],
    ["plain text", undefined],
    ["", undefined],
  ];
  for (const [line, expected] of cases) {
    test(line === "" ? "an empty line tells nothing" : line, () => expect(languageOf("bin/tool", line)).toBe(expected));
  }
  test("a known ending is not overruled", () => expect(languageOf("x.rb", "#!/bin/sh")).toBe("ruby"));
});

describe("the [languages] table of the project comes first", () => {
  test("with or without a dot, and for whole names", () => {
    const overrides = { ".inc": "cpp", tpl: "html", Buildfile: "ruby", h: "cpp" };
    expect(languageOf("a.inc", undefined, overrides)).toBe("cpp");
    expect(languageOf("a.tpl", undefined, overrides)).toBe("html");
    expect(languageOf("sub/Buildfile", undefined, overrides)).toBe("ruby");
    expect(languageOf("a.h", undefined, overrides)).toBe("cpp");
    expect(languageOf("a.rs", undefined, overrides)).toBe("rust");
  });
  test("a language that does not exist leaves the file as it was", () => {
    expect(languageOf("a.inc", undefined, { inc: "klingon" })).toBe("php");
  });
});

describe("the registry", () => {
  test("brings no parser along: a hook may ask for a language", async () => {
    const entry = new URL("../../src/repo/languages/registry.ts", import.meta.url).pathname;
    const built = await Bun.build({ entrypoints: [entry], target: "bun" });
    const text = (await built.outputs[0]?.text()) ?? "";
    expect(text).toContain("rust");
    expect(text).not.toContain("tree_sitter");
    expect(text).not.toContain("locateFile");
  });
  test("knows the twenty languages with edges", () => {
    const edges = [...languages.values()].filter((one) => one.level === "edges").map((one) => familyOf(one.id));
    expect([...new Set(edges)].sort()).toEqual(
      "bash c cpp csharp dart elixir go haskell java javascript kotlin lua php python ruby rust scala swift typescript zig".split(
        " ",
      ),
    );
  });
  test("knows the twenty-two with symbols", () => {
    const symbols = [...languages.values()].filter((one) => one.level === "symbols").map((one) => familyOf(one.id));
    expect([...new Set(symbols)].sort()).toEqual(
      "clojure css elm gdscript gleam hcl html json latex markdown nix ocaml perl powershell r scss solidity sql toml vue xml yaml".split(
        " ",
      ),
    );
  });
  test("no two languages claim one ending, one name or one interpreter", () => {
    const seen = new Map<string, string>();
    for (const { id, extensions = [], filenames = [], shebangs = [] } of languages.values()) {
      const keys = [
        ...extensions.map((one) => `.${one}`),
        ...filenames.map((one) => one.toLowerCase()),
        ...shebangs.map((one) => `#!${one}`),
      ];
      for (const key of keys) {
        expect([key, seen.get(key) ?? id]).toEqual([key, id]);
        seen.set(key, id);
      }
    }
  });
});
