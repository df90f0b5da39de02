/** The pages in docs/agents: each payload on them is answered by the real binary, and the answer is the one printed there. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TOOLS } from "../../src/agents/install/tools.ts";
import { agents } from "./packages.ts";
import { tokenixBinary } from "./scene.ts";

const pages = join(import.meta.dir, "..", "..", "docs", "agents");
const PAIR = /```json request (hook(?:-post)?) ([a-z]+)\n([\s\S]*?)\n```\n```json answer\n([\s\S]*?)```/g;

test("every tool has its page", () => {
  expect(readdirSync(pages).sort()).toEqual(TOOLS.map((tool) => `${tool}.md`).sort());
});

test("every page says whether its agent was run, or from what its payloads are known, and when", () => {
  for (const page of readdirSync(pages)) {
    const text = readFileSync(join(pages, page), "utf8");
    if (!text.includes("```json request")) continue;
    const wasRun = /^Run on \d{4}-\d\d-\d\d against `/m.test(text) && /in these runs \(\d{4}-\d\d-\d\d\)/.test(text);
    const wasNot =
      /^Not run here: .*Written from documentation/m.test(text) && /documented fields \(\d{4}-\d\d/.test(text);
    expect([page, wasRun || wasNot]).toEqual([page, true]);
  }
});

test("the pages name the versions that the scenes run", () => {
  const all = readdirSync(pages).map((page) => readFileSync(join(pages, page), "utf8"));
  for (const one of Object.values(agents))
    expect(all.some((text) => text.includes(`against \`${one.package}\` ${one.version} by`))).toBe(true);
});

describe.skipIf(!existsSync(tokenixBinary()))("payloads on the pages", () => {
  for (const page of readdirSync(pages)) {
    test(page, () => {
      const path = join(pages, page);
      let text = readFileSync(path, "utf8");
      for (const [whole, door = "", dialect = "", request = "", printed = ""] of text.matchAll(PAIR)) {
        expect(() => JSON.parse(request)).not.toThrow();
        const answer = answerOf(door, dialect, request);
        if (process.env["UPDATE_DOCS"] === "1")
          text = text.replace(whole, () => whole.replace(`answer\n${printed}`, () => `answer\n${answer}`));
        else expect(answer).toBe(printed);
      }
      if (process.env["UPDATE_DOCS"] === "1") writeFileSync(path, text);
    });
  }
});

function answerOf(door: string, dialect: string, request: string): string {
  const home = mkdtempSync(join(tmpdir(), "tokenix-docs-"));
  try {
    symlinkSync(tokenixBinary(), join(home, "tokenix"));
    const env = {
      HOME: home,
      TOKENIX_HOME: join(home, ".tokenix"),
      TOKENIX_AIRGAP: "1",
      PATH: `${home}:/usr/bin:/bin`,
    };
    const result = Bun.spawnSync([tokenixBinary(), door, dialect], { stdin: Buffer.from(request), env });
    expect(result.exitCode).toBe(0);
    // Where the program lies and what a stored output is called differ from machine to machine.
    return result.stdout
      .toString()
      .replace(/"(?:[^" ]*\/)tokenix run /g, '"/home/dev/.local/bin/tokenix run ')
      .replace(/retrieve [0-9a-f]{8,}/g, "retrieve ID")
      .replace(/\[full output \(credentials masked\): [^\]]*\]/g, "[full output (credentials masked): FILE]");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
