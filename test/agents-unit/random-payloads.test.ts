/**
 * Random and broken payloads in process: 200,000 in CI (`TOKENIX_RANDOM=200000`), fewer in a quick run. Only exits
 * 0 and 2, an answer that is valid for the agent, none slower than the hook's own budget.
 */
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dialectNamed, guessFromText, recognise } from "../../src/agents/dialects/index.ts";
import { BUDGET_MS, type HookContext } from "../../src/agents/hook/context.ts";
import { readPayload } from "../../src/agents/hook/payload.ts";
import { NO_ANSWERS } from "../../src/agents/hook/repo-answers.ts";
import { respond } from "../../src/agents/hook/respond.ts";
import { DEFAULT_CONFIG } from "../../src/platform/config.ts";
import { NAMES, payloadText, problemWith, random } from "./random.ts";

const COUNT = Number(process.env["TOKENIX_RANDOM"] ?? (process.env["CI"] ? 200_000 : 10_000));
const SEED = Number(process.env["TOKENIX_SEED"] ?? 20261130);

const home = mkdtempSync(join(tmpdir(), "tokenix-random-"));
const env = { HOME: home, USERPROFILE: home, TOKENIX_HOME: join(home, "t") };

const context: HookContext = {
  env,
  cwd: home,
  remainingMs: () => BUDGET_MS,
  dryRun: true,
  managedDirs: [join(home, "managed")],
  project: async () => ({ root: home, isIndexed: true, config: DEFAULT_CONFIG, problems: [] }),
  answers: async () => ({
    ...NO_ANSWERS,
    outline: async () => ({ text: "1-9 fn outline", totalLines: 9 }),
    symbols: async () => ({ text: "a.ts:1 fn x", hits: 1 }),
    meaning: async () => ({ text: "a.ts:1 fn x", hits: 1 }),
  }),
};

test(
  `${COUNT} random and broken payloads get a valid answer in time`,
  async () => {
    const next = random(SEED);
    const problems: string[] = [];
    const kinds = new Map<string, number>();
    let slowest = 0;
    for (let n = 0; n < COUNT && problems.length < 5; n++) {
      const text = payloadText(next);
      const named = dialectNamed(NAMES[Math.floor(next() * NAMES.length)]);
      const side = next() < 0.6 ? "pre" : "post";
      // Processor time, not the clock: the machine may be doing other things.
      const started = process.cpuUsage();
      const payload = await readPayload(new Blob([text]).stream(), 1000);
      const errors: unknown[] = [];
      const answer = await respond({ payload, named, side, context, onError: (error) => errors.push(error) });
      const used = process.cpuUsage(started);
      slowest = Math.max(slowest, (used.user + used.system) / 1000);
      const dialect = (payload.value && recognise(payload.value, named)) ?? named ?? guessFromText(payload.text);
      const problem = problemWith(answer, dialect?.id, side) ?? (errors.length > 0 ? `threw ${errors[0]}` : undefined);
      if (problem !== undefined)
        problems.push(`#${n} ${problem} · named ${named?.id} · ${side} · ${text.slice(0, 400)}`);
      const kind =
        answer.exitCode === 2 ? "block" : /updatedInput|updatedToolOutput|overwrite|modified/.exec(answer.stdout)?.[0];
      if (kind) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(problems).toEqual([]);
    expect(slowest).toBeLessThan(BUDGET_MS);
    // The generator must reach the answers that change something, or it would prove nothing.
    expect(kinds.size).toBeGreaterThanOrEqual(3);
  },
  15 * 60_000,
);
