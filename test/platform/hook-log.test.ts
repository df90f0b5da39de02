import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logHookEvent, readHookLog } from "../../src/platform/hook-log.ts";
import { projectPaths } from "../../src/platform/paths.ts";

const place = () => {
  const env = { TOKENIX_HOME: mkdtempSync(join(tmpdir(), "tokenix-log-")) };
  return { env, root: "/repo/a", path: projectPaths("/repo/a", { env }).log };
};
const event = {
  action: "pass",
  tool: "shell",
  agent: "claude",
  subject: "git status",
  rawTokens: 10,
  shownTokens: 10,
} as const;

test("an event comes back as it was written", () => {
  const { env, root } = place();
  logHookEvent(root, event, env);
  expect(readHookLog(root, env).events).toMatchObject([event]);
});

test("a credential in a command is masked before it is written", () => {
  const { env, root, path } = place();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  logHookEvent(root, { ...event, subject: `curl -H 'Authorization: token ${secret}' x`, note: secret }, env);
  expect(readFileSync(path, "utf8")).not.toContain(secret);
});

test.skipIf(process.platform === "win32")("the log is the owner's alone", () => {
  const { env, root, path } = place();
  logHookEvent(root, event, env);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test("at 5 MB it is set aside once, and both generations are read", () => {
  const { env, root, path } = place();
  logHookEvent(root, event, env);
  appendFileSync(
    path,
    `${JSON.stringify({ ...event, at: "2026-01-01T00:00:00Z", subject: "x".repeat(5 * 1024 * 1024) })}\n`,
  );
  logHookEvent(root, event, env);
  expect(existsSync(`${path}.1`)).toBe(true);
  expect(readHookLog(root, env).events).toHaveLength(3);
});

test("a torn line is counted, not thrown", () => {
  const { env, root, path } = place();
  logHookEvent(root, event, env);
  appendFileSync(path, '{"at":"2026');
  expect(readHookLog(root, env)).toMatchObject({ events: [event], badLines: 1 });
});

test("a home that can't be written to is no error", () => {
  expect(() => logHookEvent("/repo/a", event, { TOKENIX_HOME: "/dev/null/nowhere" })).not.toThrow();
});
