/** Every case of every bundled filter, as a run delivers it: no line may go in silence after a failure. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FilterDefinition } from "../../src/output/filters/schema.ts";
import { parseFilterToml } from "../../src/output/filters/toml.ts";
import type { Captured } from "../../src/output/run/capture.ts";
import { type Final, prepare } from "../../src/output/run/deliver.ts";
import { missingLines } from "../../src/output/run/way-back.ts";

const folder = join(import.meta.dir, "..", "..", "assets", "filters");
const home = mkdtempSync(join(tmpdir(), "tokenix-way-back-"));
const env = { TOKENIX_HOME: home };
afterAll(() => rmSync(home, { recursive: true, force: true }));

function captured(text: string): Captured {
  const head = Buffer.from(text);
  const none = { tail: Buffer.alloc(0), omittedBytes: 0, omittedLines: 0, failureLines: [] };
  return { bytes: head.length, head, ...none };
}

async function delivered(definition: FilterDefinition, command: string, exitCode: number, out: string, err: string) {
  const argv = command.split(" ");
  const request = { argv, raw: false, explain: false };
  const run = { request, line: command, names: [command], cwd: home, root: home, env };
  const filter = { definition, tier: "bundled" as const, isUnproven: false };
  const streams = [captured(out), err === "" ? undefined : captured(err)] as const;
  return prepare(run, { filter, captured: streams, exitCode, stoppedBy: undefined });
}

function silentLoss(raw: string, final: Final | undefined): number {
  if (!final || final.isRaw || final.hint) return 0;
  return missingLines(raw, final.bytes.toString("latin1")).lines;
}

for (const name of [...new Bun.Glob("*.toml").scanSync(folder)].sort()) {
  const file = parseFilterToml(readFileSync(join(folder, name), "utf8"));
  test(`${name}: a line that goes after a failure leaves the way back, and no notice makes an output longer`, async () => {
    for (const filter of file.filters)
      for (const one of file.cases.get(filter.name) ?? []) {
        if (one.exit_code === 0) continue;
        const [out, err] = one.stream === "stdout" ? [one.input, one.stderr] : ["", one.input + one.stderr];
        const { out: stdout, err: stderr } = await delivered(filter, one.command, one.exit_code, out, err);
        const lost = [silentLoss(Buffer.from(out).toString("latin1"), stdout)];
        lost.push(silentLoss(Buffer.from(err).toString("latin1"), stderr));
        expect({ case: one.name, lost }).toEqual({ case: one.name, lost: [0, 0] });
        expect(stdout.bytes.length).toBeLessThanOrEqual(Buffer.byteLength(out));
      }
  });
}

describe("the count", () => {
  const definition = (toml: string) => {
    const [filter] = parseFilterToml(toml).filters;
    if (!filter) throw new Error("no filter");
    return filter;
  };
  const own = definition(
    `[filters.own]\ndescription = "own"\nmatch_command = '^own'\nstrip_lines_matching = ['^noise']\n`,
  );

  test("a user's filter that drops 400 lines of a failure has them counted", async () => {
    const noise = Array.from({ length: 400 }, (_, at) => `noise ${at}\n`).join("");
    const { out } = await delivered(own, "own tool", 1, `start\n${noise}error: no such table\n`, "");
    expect(out.bytes.toString()).toMatch(
      /^start\nerror: no such table\n\[400 of 402 lines not shown\] \[full output \(credentials masked\): .+\]\n$/,
    );
  });

  test("one line that costs less than its notice is shown", async () => {
    const raw = "start\nnoise\nerror: no such table\n";
    const { out } = await delivered(own, "own tool", 1, raw, "");
    expect(out.isRaw).toBe(true);
  });

  test("blank lines, colours and copies of a line are no loss", () => {
    expect(missingLines("a\n\n\u001b[31mb\u001b[0m\nb\n", "a\nb\n[line above repeated once more]\n").lines).toBe(0);
    expect(missingLines("a\nc\n", "a\n")).toEqual({ lines: 1, of: 2 });
  });
});
