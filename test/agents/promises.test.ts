/** Every promise has a scene with a real agent, and every test that is named for one is there. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promises } from "./promises.ts";

test("every promise has a scene with at least one real agent", () => {
  const bare = Object.entries(promises).filter(([, held]) => !held.some(({ agent }) => agent !== undefined));
  expect(bare.map(([promise]) => promise)).toEqual([]);
});

test("every test that holds a promise is there, under its name", () => {
  const missing: string[] = [];
  for (const held of Object.values(promises).flat()) {
    const text = readFileSync(join(import.meta.dir, "..", held.file), "utf8").replaceAll('\\"', '"');
    for (const name of held.tests) if (!text.includes(name)) missing.push(`${held.file}: ${name}`);
  }
  expect(missing).toEqual([]);
});
