import { describe, expect, test } from "bun:test";
import { type Dialect, parseCommandLine, requote } from "../../../src/output/shell/index.ts";

const HARD = [
  "plain",
  "",
  "a b",
  "it's",
  'say "x"',
  "$HOME `x` $(y)",
  "a\\b\\",
  "*?[a]{b,c}",
  "~",
  "!x",
  "#no",
  "=ls",
  "a;b|c&d<e>f(g)",
  "日本語 🙂 e\u0301",
  "a\nb",
  "\t",
  "-n",
  "a=b",
  "^x",
  "if",
];

describe("requote", () => {
  test.skipIf(process.platform === "win32")("gives bash, and every other shell at hand, the same words back", () => {
    const line = requote(["printf", "%s\\0", ...HARD]) ?? "";
    for (const shell of ["bash", "sh", "zsh", "dash"].filter((name) => Bun.which(name))) {
      const { stdout } = Bun.spawnSync([shell, "-c", line]);
      expect(stdout.toString().split("\0").slice(0, -1)).toEqual(HARD);
    }
    expect(parseCommandLine(line)?.segments[0]?.words.map(({ value }) => value)).toEqual(["printf", "%s\\0", ...HARD]);
  });

  test("quotes a program that would read as an assignment or a keyword", () => {
    expect(requote(["a=b", "a=b"])).toBe("'a=b' a=b");
    expect(requote(["if", "if"])).toBe("'if' if");
  });

  test("calls a quoted program in PowerShell, and gives up on what it garbles", () => {
    expect(requote(["git", "commit", "-m", "it's"], "pwsh")).toBe("git commit -m 'it''s'");
    expect(requote(["C:/a b/x.exe", "1.5"], "pwsh")).toBe("& 'C:/a b/x.exe' '1.5'");
    expect(requote(["x", "‘a’"], "pwsh")).toBe("x '‘‘a’’'");
    for (const word of ["", 'a"b', "a b\\", "\0"]) expect(requote(["x", word], "pwsh")).toBeUndefined();
  });

  test("quotes for cmd, and gives up on what it would expand", () => {
    expect(requote(["git", "log", "a b", "c&d", "x\\ y\\"], "cmd")).toBe('git log "a b" "c&d" "x\\ y\\\\"');
    for (const word of ["%PATH%", 'a"b', "a\nb", "a!b"]) expect(requote(["x", word], "cmd")).toBeUndefined();
  });

  test("never joins a NUL", () => {
    for (const dialect of ["bash", "pwsh", "cmd"] satisfies Dialect[])
      expect(requote(["a\0b"], dialect)).toBeUndefined();
  });
});
