/** `install-hook`, `remove-hook` and `install-binary` as a person runs them. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, Sandbox } from "../support/sandbox.ts";

// doctor loads every grammar.
setDefaultTimeout(60_000);

describe("connecting an agent", () => {
  test("says what it wrote and where the old bytes are, twice is once, and removal gives the bytes back", async () => {
    using box = new Sandbox();
    const path = join(box.home, ".claude", "settings.json");
    const text = '{\r\n\t// mine\r\n\t"model": "x",\r\n}\r\n';
    mkdirSync(join(box.home, ".claude"));
    writeFileSync(path, text);
    const first = await box.run(["install-hook", "--tool", "claude-code"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("changed          ~/.claude/settings.json  (as it was: ~/.tokenix/backups/");
    const installed = readFileSync(path, "utf8");
    expect(installed).toStartWith('{\r\n\t// mine\r\n\t"model": "x",\r\n\t"hooks": {\r\n');
    const second = await box.run(["install-hook", "--tool", "claude-code"]);
    expect(second.stdout).toContain("as it should be");
    expect(readFileSync(path, "utf8")).toBe(installed);
    const removed = await box.run(["remove-hook", "--tool", "all"]);
    expect(removed.stdout).toContain("every byte as before");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("starts the very program that was run", async () => {
    using box = new Sandbox();
    await box.run(["install-hook", "--tool", "codex"]);
    expect(readFileSync(join(box.home, ".codex", "hooks.json"), "utf8")).toContain(
      `"${realpathSync(BINARY).replaceAll("\\", "/")} hook codex"`,
    );
  });

  test("--dry-run writes nothing, a local one goes to the repository", async () => {
    using box = new Sandbox();
    const dry = await box.run(["install-hook", "--tool", "gemini", "--local", "--dry-run"]);
    expect(dry.stdout).toContain("would make");
    expect(existsSync(box.path(".gemini"))).toBe(false);
    mkdirSync(box.path("deep", "down"), { recursive: true });
    await box.run(["install-hook", "--tool", "gemini", "--local"], { cwd: box.path("deep", "down") });
    expect(readFileSync(box.path(".gemini", "settings.json"), "utf8")).toContain("exec tokenix hook gemini");
  });

  test("settings that can't be read are left alone: exit 1, and the stanza to put there", async () => {
    using box = new Sandbox();
    const path = join(box.home, ".cursor", "hooks.json");
    mkdirSync(join(box.home, ".cursor"));
    writeFileSync(path, "{ half");
    const { code, stdout } = await box.run(["install-hook", "--tool", "cursor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("left alone");
    expect(stdout).toContain('"preToolUse"');
    expect(readFileSync(path, "utf8")).toBe("{ half");
  });

  test("a wrong tool is bad usage, with the nearest name", async () => {
    using box = new Sandbox();
    const { code, stderr } = await box.run(["install-hook", "--tool", "claude-cod"]);
    expect(code).toBe(2);
    expect(stderr).toContain("claude-code");
  });

  test("doctor knows of it, and of a program that went away", async () => {
    using box = new Sandbox();
    await box.run(["install-hook", "--tool", "cursor"]);
    expect((await box.run(["doctor"])).stdout).toMatch(/ok +cursor +connected for every repository/);
    const path = join(box.home, ".cursor", "hooks.json");
    writeFileSync(path, readFileSync(path, "utf8").replace(realpathSync(BINARY), "/gone/tokenix"));
    const { code, stdout } = await box.run(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("starts /gone/tokenix, which is not there");
  });
});

describe("install-binary", () => {
  test("copies the program, is content the second time, and replaces no other program", async () => {
    using box = new Sandbox();
    const target = join(box.home, ".local", "bin", "tokenix");
    const first = await box.run(["install-binary"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("is not in PATH");
    expect((await box.exec([target, "--version"])).stdout).toContain("tokenix");
    expect((await box.exec([target, "install-binary"])).stdout).toContain("is this program already");
    expect((await box.run(["install-binary"])).code).toBe(0);
    writeFileSync(target, "#!/bin/sh\necho other\n");
    chmodSync(target, 0o755);
    const refused = await box.run(["install-binary"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("another program");
    expect(readFileSync(target, "utf8")).toContain("echo other");
    expect((await box.run(["install-binary", "--force"])).code).toBe(0);
  });
});
