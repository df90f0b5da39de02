/** A user writes a filter with nothing but the binary: record, generate, edit, write what it makes, check. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { Sandbox } from "../support/sandbox.ts";

setDefaultTimeout(60_000);

test("a filter made from recordings passes its own check, and again after an edit and --write", async () => {
  using box = new Sandbox();
  box.write({
    "widget.sh":
      'for i in $(seq 1 40); do echo "pass case $i"; done\nif [ "$1" = bad ]; then echo "error: case 7 failed"; exit 3; fi\necho "40 passed"\n',
  });
  const tokenix = (...args: string[]) => box.run(args);
  const started = await tokenix("filter", "record", "start", "sh widget.sh");
  expect(started.stdout).toContain("tokenix run sh widget.sh | cat");
  expect((await tokenix("filter", "record", "status")).stdout).toContain("at a terminal outputs pass through");
  expect((await tokenix("run", "sh", "widget.sh")).code).toBe(0);
  expect((await tokenix("run", "sh", "widget.sh", "bad")).code).toBe(3);
  expect((await tokenix("filter", "record", "stop")).stdout).toBe("stopped; 2 recordings\n");

  const generated = await tokenix("filter", "generate", "sh widget.sh", "--skeleton");
  expect(generated.code).toBe(0);
  expect(generated.stderr).toContain("a start");
  const path = generated.stdout.trim();
  const checked = await tokenix("filter", "verify");
  expect(checked.stdout).not.toContain("scripts/");
  expect({ code: checked.code, out: checked.stdout }).toMatchObject({ code: 0 });

  const edited = readFileSync(path, "utf8").replace(
    "max_lines = 200",
    "max_lines = 200\nstrip_lines_matching = ['^pass ']",
  );
  writeFileSync(path, edited);
  const stale = await tokenix("filter", "verify");
  expect(stale.code).toBe(1);
  expect(stale.stdout).toContain("tokenix filter verify --write");
  expect((await tokenix("filter", "verify", "--write")).code).toBe(0);
  const written = readFileSync(path, "utf8");
  expect(written.replace(/expected = (?:'''[\s\S]*?'''|'[^'\n]*'|"[^"\n]*")\n/g, "")).toBe(
    edited.replace(/expected = (?:'''[\s\S]*?'''|'[^'\n]*'|"[^"\n]*")\n/g, ""),
  );
  expect((await tokenix("filter", "verify")).code).toBe(0);
});

test("a recording that kept nothing says why, and so does a filter that is wanted of it", async () => {
  using box = new Sandbox();
  expect((await box.run(["filter", "record", "start", "widget test"])).code).toBe(0);
  const stopped = await box.run(["filter", "record", "stop"]);
  expect(stopped.stdout).toContain("stopped; 0 recordings\nat a terminal outputs pass through");
  const refused = await box.run(["filter", "generate", "widget test", "--skeleton"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("tokenix run widget test | cat");
});

test("a file that does not parse is left as it is by --write", async () => {
  using box = new Sandbox();
  const text = "[filters.broken\nmatch_command = 'x'\n";
  box.write({ ".tokenix/filters/broken.toml": text });
  const result = await box.run(["filter", "verify", "--write"]);
  expect(result.code).toBe(1);
  expect(readFileSync(box.path(".tokenix/filters/broken.toml"), "utf8")).toBe(text);
});
