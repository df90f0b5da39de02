/** The savings account: what is counted, what is taken off, and what is never claimed. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { account } from "../../src/insight/gain/account.ts";
import { type Entry, entriesOf, entriesOfAll } from "../../src/insight/gain/entries.ts";
import { commandName, grouped } from "../../src/insight/gain/groups.ts";
import { renderGain } from "../../src/insight/gain/render.ts";
import { gainReport } from "../../src/insight/gain/report.ts";
import { sessionShape } from "../../src/insight/gain/sessions.ts";
import { logHookEvent } from "../../src/platform/hook-log.ts";

let minute = 0;
function entry(values: Partial<Entry>): Entry {
  const time = Date.UTC(2026, 10, 30, 8, minute++);
  return {
    at: new Date(time).toISOString(),
    time,
    project: "app-1",
    action: "intercepted",
    tool: "shell",
    agent: "claude",
    subject: `command ${minute}`,
    by: "generic",
    rawTokens: 1000,
    shownTokens: 400,
    session: "s",
    ...values,
  };
}

describe("the account", () => {
  test("divides by the calls that saved nothing too", () => {
    const total = account([entry({}), entry({ action: "pass", shownTokens: 1000 })]);
    expect(total).toMatchObject({ calls: 2, shortened: 1, rawTokens: 2000, savedTokens: 600, savedShare: 0.3 });
  });

  test("takes off what was fetched again, and can fall below zero", () => {
    const read = entry({ tool: "read", subject: "a.ts", by: "outline", rawTokens: 3000, shownTokens: 200 });
    const again = entry({
      tool: "read",
      subject: "a.ts",
      by: "outline",
      action: "retrieve",
      rawTokens: 0,
      shownTokens: 3000,
    });
    expect(account([read, again])).toMatchObject({ fetches: 1, fetchedTokens: 3000, savedTokens: -200 });
  });

  test("takes off a command that is asked again within three calls of a shortened success", () => {
    const first = entry({ subject: "git log" });
    expect(account([first, entry({ subject: "git log" })])).toMatchObject({
      repeats: 1,
      repeatedTokens: 400,
      savedTokens: 800,
    });
    const between = [1, 2, 3].map(() => entry({ action: "pass", rawTokens: 0, shownTokens: 0 }));
    expect(account([first, ...between, entry({ subject: "git log" })])).toMatchObject({ repeats: 0 });
    const failed = entry({ subject: "npm test", exitCode: 1 });
    // Running a failing test again is the work itself.
    expect(account([failed, entry({ subject: "npm test" })])).toMatchObject({ repeats: 0 });
  });

  test("counts no more of an output than an agent shows", () => {
    expect(account([entry({ rawTokens: 4_000_000, shownTokens: 100 })]).savedTokens).toBe(7400);
  });

  test("takes off no more for an output that is fetched back than it counted for", () => {
    const cut = entry({ rawTokens: 245_000, shownTokens: 100 });
    const back = entry({ action: "retrieve", subject: "a1b2", rawTokens: 0, shownTokens: 245_000 });
    const total = account([cut, back]);
    expect(total).toMatchObject({ rawTokens: 7500, fetchedTokens: 7500, savedTokens: -100 });
    expect(gainReport({ entries: [cut, back], badLines: 0 }, { limit: 5, history: true }).history?.[0]).toMatchObject({
      action: "retrieve",
      shownTokens: 7500,
    });
  });

  test("claims nothing for limits and answers from the index", () => {
    const neutral = ["head-limit", "symbols", "meaning"].map((by) =>
      entry({ tool: "grep", by, rawTokens: 50, shownTokens: 10 }),
    );
    expect(account(neutral)).toMatchObject({ neutral: 3, calls: 0, savedTokens: 0, savedShare: undefined });
  });

  test("keeps bypasses and faults out of the saving", () => {
    expect(account([entry({ action: "bypassed" }), entry({ action: "error" })])).toMatchObject({
      bypassed: 1,
      errors: 1,
      calls: 0,
      savedTokens: 0,
    });
  });
});

test("the parts of every grouping add up to the whole", () => {
  const entries = [
    entry({ subject: "cd x && npm test -- -x" }),
    entry({ subject: "npm test" }),
    entry({ tool: "read", subject: "a.ts", project: "b-2" }),
    entry({ action: "pass", shownTokens: 1000, subject: "ls -la", at: "2026-12-01T00:00:00.000Z" }),
  ];
  const whole = account(entries).savedTokens;
  for (const by of ["command", "project", "tool", "day"] as const) {
    const groups = grouped(entries, by);
    expect(groups.reduce((sum, group) => sum + group.account.savedTokens, 0)).toBe(whole);
  }
  expect(grouped(entries, "command").map(({ name }) => name)).toEqual(["npm test", "read", "ls"]);
  expect(grouped(entries, "day").map(({ name }) => name)).toEqual(["2026-11-30", "2026-12-01"]);
});

test("a command's name is its program and sub-command", () => {
  const rows = {
    "FOO=1 sudo /usr/bin/git log -3": "git log",
    "cargo test": "cargo test",
    "ls -la": "ls",
    "": "(empty)",
    "sh -c 'make; exit 3'": "sh -c",
    "cd app && sh -c 'make; exit 3'": "sh -c",
    '/bin/bash -lc "cd x && git log"': "bash -lc",
  };
  for (const [subject, name] of Object.entries(rows)) expect(commandName(subject)).toBe(name);
});

test("sessions are described by their id, or by a pause of half an hour", () => {
  const shape = sessionShape([
    entry({ session: "a", subject: "x" }),
    entry({ session: "a", subject: "x" }),
    entry({ session: "b", subject: "x" }),
    { ...entry({ session: undefined, subject: "y" }), time: 0 },
    { ...entry({ session: undefined, subject: "y" }), time: 29 * 60_000 },
    { ...entry({ session: undefined, subject: "y" }), time: 90 * 60_000 },
  ]);
  expect(shape).toEqual({ sessions: 4, meanCalls: 1.5, askedAgain: 2, askedAgainShare: 2 / 6 });
});

test("a log with broken lines is read as far as it can be, and says so", () => {
  const home = mkdtempSync(join(tmpdir(), "tokenix-gain-"));
  const env = { TOKENIX_HOME: home };
  const event = {
    action: "intercepted",
    tool: "shell",
    agent: "claude",
    subject: "ls",
    rawTokens: 10,
    shownTokens: 4,
  } as const;
  logHookEvent("/w/one", event, env);
  logHookEvent("/w/two", { ...event, subject: "pwd" }, env);
  mkdirSync(join(home, "logs"), { recursive: true });
  writeFileSync(join(home, "logs", "odd-1.log"), '{"at":"x","action":"pass","tool":"shell"}\nnot json\n{"at":1}\n');
  expect(entriesOf("/w/one", env)).toMatchObject({ badLines: 0, entries: [{ subject: "ls" }] });
  const all = entriesOfAll(env);
  expect(all.entries.map(({ subject }) => subject).sort()).toEqual(["ls", "pwd"]);
  expect(all.badLines).toBe(3);
  expect(renderGain(gainReport(all, { limit: 5 }), "all projects")).toContain("3 lines of the log could not be read");
});

test("tokens are the headline; dollars appear only when asked for, with a caution", () => {
  const log = { entries: [entry({})], badLines: 0 };
  expect(renderGain(gainReport(log, { limit: 5 }), "x")).not.toContain("$");
  const asked = renderGain(gainReport(log, { limit: 5, costEstimate: true, economics: true }), "x");
  expect(asked).toContain("$");
  expect(asked).toContain("An estimate");
});

test("an empty log is said to be empty", () => {
  expect(renderGain(gainReport({ entries: [], badLines: 0 }, { limit: 5 }), "x")).toStartWith("No calls logged");
});
