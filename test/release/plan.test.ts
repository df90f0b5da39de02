import { expect, test } from "bun:test";
import { type Commit, planRelease } from "../../scripts/release/plan.ts";

const commits = (...subjects: (string | [string, string])[]): Commit[] =>
  subjects.map((one, i) => {
    const [subject, body] = typeof one === "string" ? [one, ""] : one;
    return { id: `${i}`.repeat(40), subject, body };
  });

test("the highest kind of commit decides the number", () => {
  expect(planRelease("v1.2.3", commits("fix: a", "perf(search): b"))?.version).toBe("1.2.4");
  expect(planRelease("v1.2.3", commits("fix: a", "feat: b"))?.version).toBe("1.3.0");
  expect(planRelease("v1.2.3", commits("feat!: b", "fix: a"))?.version).toBe("2.0.0");
  expect(planRelease("v1.2.3", commits(["chore: drop", "BREAKING CHANGE: gone"]))?.version).toBe("2.0.0");
});

test("before 1.0 a breaking change raises the second number", () => {
  expect(planRelease("v0.4.1", commits("feat!: b"))?.version).toBe("0.5.0");
});

test("quiet kinds cut nothing, nor does a body that talks about one", () => {
  expect(
    planRelease("v1.0.0", commits("test: a", "docs: b", "chore: c", "ci: d", "a subject of no kind")),
  ).toBeUndefined();
  expect(
    planRelease("v1.0.0", commits(["docs: how to write commits", "write fix: what was wrong\nfeat: new"])),
  ).toBeUndefined();
});

test("notes are grouped, with scope and a commit id that git can find", () => {
  const notes = planRelease("v1.0.0", commits("feat(search): fuse by score", "fix: keep CRLF"))?.notes ?? "";
  expect(notes).toContain("## New\n- **search:** fuse by score (000000000000)");
  expect(notes).toContain("## Fixed\n- keep CRLF (111111111111)");
  expect(notes.indexOf("## New")).toBeLessThan(notes.indexOf("## Fixed"));
});
