import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchmark, casesOfProject, readCases } from "../../src/repo/search/benchmark.ts";
import { type Project, project } from "./support.ts";

let small: Project;
beforeAll(async () => {
  small = project({
    "src/cookie.ts": `/** Signs. */\nexport function signSessionCookie(user: string) { return hmac(user); }\n${"// filler line\n".repeat(200)}`,
    "src/queue.ts": `export class RetryingJobQueue { push(job: Job) { this.jobs.push(job); } }\n${"// filler line\n".repeat(200)}`,
  });
  await small.index();
}, 60_000);
afterAll(() => small.remove());

describe("the benchmark", () => {
  test("makes its questions of the project's own long names", () => {
    expect(casesOfProject(small.open())).toEqual([
      { query: "retrying job queue", expect: ["src/queue.ts"] },
      { query: "sign session cookie", expect: ["src/cookie.ts"] },
    ]);
  });

  test("counts hits, misses and both sides' tokens", async () => {
    const cases = [
      { query: "sign session cookie", expect: ["cookie.ts"] },
      { query: "sign session cookie", expect: ["src/elsewhere.ts"] },
    ];
    const report = await benchmark(small.open(), cases, 400);
    expect(report.hitAt1).toBe(0.5);
    expect(report.cases.map((one) => [one.rank, one.plainFound])).toEqual([
      [1, true],
      [0, false],
    ]);
    expect(report.answerTokens).toBeLessThanOrEqual(450);
    expect(report.plainTokens).toBeGreaterThan(report.answerTokens);
    expect(report.saved).toBeCloseTo(1 - report.answerTokens / report.plainTokens);
  });

  test("a file of cases is checked, and said what is wrong with it", () => {
    const path = join(small.root, "..", "cases.json");
    writeFileSync(path, '[{"query": "a", "expect": "b.ts"}]');
    expect(readCases(path)).toEqual([{ query: "a", expect: ["b.ts"] }]);
    writeFileSync(path, '[{"query": "a"}]');
    expect(() => readCases(path)).toThrow("case 1");
    expect(() => readCases(`${path}.absent`)).toThrow("no such file");
  });
});
