import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePrivateDir } from "../../src/platform/files.ts";
import { mayCheck, readRecord, type Situation, writeRecord } from "../../src/update/background.ts";

const DAY = 24 * 60 * 60 * 1000;
const NEVER = { triedAt: 0, latest: undefined, installed: undefined };
const person: Situation = { interactive: true, compiled: true, env: {}, now: 10 * DAY };

test("a person at a terminal may be looked out for, once a day", () => {
  expect(mayCheck(person, NEVER)).toBe(true);
  expect(mayCheck(person, { ...NEVER, triedAt: person.now - DAY + 1 })).toBe(false);
  expect(mayCheck(person, { ...NEVER, triedAt: person.now - DAY })).toBe(true);
});

test("a clock that was set back does not switch it off for ever", () => {
  expect(mayCheck(person, { ...NEVER, triedAt: person.now + 300 * DAY })).toBe(true);
});

test("never in pipes, from source, in CI, by agents, under air gap, or when told not to", () => {
  expect(mayCheck({ ...person, interactive: false }, NEVER)).toBe(false);
  expect(mayCheck({ ...person, compiled: false }, NEVER)).toBe(false);
  for (const name of ["CI", "CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "TOKENIX_NO_UPDATE_CHECK", "TOKENIX_AIRGAP"])
    expect(mayCheck({ ...person, env: { [name]: "1" } }, NEVER)).toBe(false);
});

test("the record survives, and a damaged one reads as never tried", () => {
  const env = { TOKENIX_HOME: mkdtempSync(join(tmpdir(), "tokenix-check-")) };
  writeRecord({ triedAt: 5, latest: "1.2.3", installed: undefined }, env);
  expect(readRecord(env)).toEqual({ triedAt: 5, latest: "1.2.3", installed: undefined });
  ensurePrivateDir(env.TOKENIX_HOME);
  for (const bad of ["{", "[]", '{"triedAt":"x","latest":"; rm"}', "null"]) {
    writeFileSync(join(env.TOKENIX_HOME, "update-check.json"), bad);
    expect(readRecord(env)).toEqual(NEVER);
  }
});
