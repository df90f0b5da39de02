import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryText } from "../../scripts/generate/queries.ts";
import { queryTexts } from "../../src/generated/queries.ts";
import { extract } from "../../src/repo/languages/extract.ts";

/** A query's patterns, each with the lines that belong to it, without what separates them. */
function patterns(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith(";"))
    .join("\n")
    .split(/\n(?! )/);
}

test("no language has a pattern twice, its own or an inherited one", () => {
  for (const [name, text] of Object.entries(queryTexts)) {
    const all = patterns(text);
    const twice = all.filter((pattern, i) => all.indexOf(pattern) !== i);
    expect([name, twice]).toEqual([name, []]);
  }
});

test("inherited patterns go to the half that they come from, first or last as the line stands; a circle and a missing file are named", () => {
  const folder = mkdtempSync(join(tmpdir(), "tokenix-queries-"));
  const write = (name: string, text: string) => writeFileSync(join(folder, `${name}.scm`), text);
  try {
    mkdirSync(join(folder, "shared"));
    write("shared/base", "(a) @name\n\n; edges\n(b) @call\n");
    write("shared/more", "; edges\r\n(c) @call\r\n");
    write("one", "; inherits: base, more\n(d) @name\n");
    expect(queryText("one", folder)).toBe("(a) @name\n(d) @name\n; edges\n(b) @call\n(c) @call");
    write("last", "(d) @name\n; edges\n(e) @call\n\n; inherits: base\n");
    expect(queryText("last", folder)).toBe("(d) @name\n(a) @name\n; edges\n(e) @call\n(b) @call");
    write("two", "; inherits: three\n");
    write("three", "; inherits: two\n");
    expect(() => queryText("two", folder)).toThrow("two → three → two");
    write("four", "; inherits: nowhere\n");
    expect(() => queryText("four", folder)).toThrow("nowhere.scm, which is missing");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a name that is declared as one type and made as another is what was made", async () => {
  for (const id of ["typescript", "tsx"]) {
    const text = "const a: Base = new Derived();\na.run();\n";
    const { references } = await extract(id, text, { timeLimitMs: 20_000 });
    const call = references.find((one) => one.name === "run");
    expect([id, call?.qualifier, (call as { qualifierType?: string }).qualifierType]).toEqual([id, "a", "Derived"]);
  }
});
