import { expect, test } from "bun:test";
import { simpleCommandForms, simpleCommands } from "../../../src/output/shell/index.ts";

test("each command of a compound line is given on its own, as written", () => {
  expect(simpleCommands("cd x && FOO=1 git   status 2>&1; ls | head -1 || rm -rf 'a && b' & wait\npwd")).toEqual([
    "cd x",
    "FOO=1 git   status 2>&1",
    "ls",
    "head -1",
    "rm -rf 'a && b'",
    "wait",
    "pwd",
  ]);
});

test("the bare form has no redirections", () => {
  expect(simpleCommandForms("2>/dev/null git status 2>&1 -s; ls")).toEqual([
    { text: "2>/dev/null git status 2>&1 -s", bare: "git status -s" },
    { text: "ls", bare: "ls" },
  ]);
});

test.each([
  ["echo $(rm x)"],
  ["echo `rm x`"],
  ["diff <(a) <(b)"],
  ["echo x > /etc/passwd"],
  ["echo x &> f"],
  ["cat < secret"],
  ["cat <<E\nx\nE\n"],
  ["(rm x)"],
  ["{ rm x; }"],
  ["for i in 1; do rm x; done"],
  ["f() { rm x; }"],
  ["if a; then b; fi"],
  ["[[ -f x ]] && rm x"],
  ["! rm x"],
  ["time rm x"],
  ["$CMD x"],
  ["g?t status"],
  ["git status # and more"],
  ["git status \\\n -s; ls # x\nrm x"],
  ["git status\r\nrm x"],
  ["git\u00a0status"],
  ["git status &&"],
  ["echo 'open"],
  [""],
])("nothing is said where a command or a write could hide: %p", (line) => {
  expect(simpleCommands(line)).toBeUndefined();
});
