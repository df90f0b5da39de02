import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { extract } from "../../src/repo/languages/extract.ts";
import { languageOf } from "../../src/repo/languages/registry.ts";
import { render } from "./render.ts";

const folder = join(import.meta.dir, "fixtures");
const samples = [...new Bun.Glob("*/*").scanSync(folder)].filter((path) => !path.endsWith("expected.txt")).sort();

/** A C header that opens `extern "C" {` inside an `#ifdef` has an unclosed brace for any grammar. */
const broken = new Set(["cheader/pool.h"]);

describe("the symbols and edges of a sample are exactly those written down beside it", () => {
  for (const path of samples) {
    test(path, async () => {
      const text = readFileSync(join(folder, path), "utf8");
      const expected = readFileSync(join(folder, path, "..", "expected.txt"), "utf8");
      const language = languageOf(path, text.split("\n", 1)[0]) ?? "none";
      const extraction = await extract(language, text, { timeLimitMs: 20_000 });
      expect(extraction.gaveUp).toBeUndefined();
      expect(extraction.hasErrors ?? false).toBe(broken.has(path));
      expect(render(extraction)).toBe(expected);
    });
  }
});
