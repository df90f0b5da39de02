/**
 * Command lines run for real in bash, plain and rewritten with a prefix program that only starts its arguments: what
 * is printed on both streams, the exit code and the files made must be the same to the byte.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rewriteCommand } from "../../../src/output/shell/index.ts";
import { Random } from "./generator.ts";

const root = mkdtempSync(join(tmpdir(), "tokenix-real-"));
const prefixProgram = join(root, "a prefix", "it's", "tokenix");
mkdirSync(join(root, "a prefix", "it's"), { recursive: true });
writeFileSync(prefixProgram, '#!/bin/sh\n[ "$1" = run ] || exit 99\nshift\nexec "$@"\n');
chmodSync(prefixProgram, 0o755);
// a program that shows exactly which words it was given
const showWords = join(root, "show");
writeFileSync(showWords, '#!/bin/sh\nfor word; do printf "[%s]" "$word"; done\nprintf "\\n"\n');
chmodSync(showWords, 0o755);
afterAll(() => rmSync(root, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Record<string, string>;
}

function run(line: string, name: string): Outcome {
  const cwd = join(root, name);
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(join(cwd, "sub dir"), { recursive: true });
  for (const file of ["a.txt", "b.txt", "sub dir/ü ✓.txt"]) writeFileSync(join(cwd, file), `${file}\nb\n`);
  const { exitCode, stdout, stderr } = Bun.spawnSync(["bash", "-c", line], {
    cwd,
    env: { PATH: `${root}:${process.env["PATH"]}`, HOME: "/nowhere", LC_ALL: "C.UTF-8", x: "one  two", y: "*.txt" },
    stdin: "ignore",
  });
  // a program that is not there is reported by whoever looks for it
  const errors = stderr.toString().replaceAll(/^(?:bash|.*tokenix): [\s\S]*?: (?:command )?not found$/gm, "not found");
  return { code: exitCode, stdout: stdout.toString(), stderr: errors, files: read(cwd) };
}

function read(folder: string, prefix = ""): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory())
      Object.assign(files, { [`${prefix}${name}/`]: "" }, read(path, `${prefix}${name}/`));
    else files[prefix + name] = readFileSync(path, "utf8");
  }
  return files;
}

const WORDS = [
  "a.txt",
  "'sub dir'",
  '"sub dir/ü ✓.txt"',
  "*.txt",
  "$x",
  '"$x"',
  "$y",
  "'$x; rm a.txt'",
  '"a -> b & c | d"',
  "{1..3}",
  "a\\ b",
  '"it\'s"',
  "$(cat a.txt)",
  "`printf b`",
  '"$(printf \'%s\' "a  b")"',
  "$((2 + 3))",
  "日本語",
  "é🙂",
  "''",
  '""',
  "a\\\nb",
  "x#y",
  "[ab].txt",
  "nope*",
  "~",
  "--flag=v",
  "$'t\\ta'",
  "${x:-z}",
  "${x%two}",
  '"a\nb"',
  "HEAD~1",
  "#no",
];

function command(random: Random): string {
  const word = () => random.pick(WORDS);
  const show = () =>
    `show ${Array.from({ length: 1 + random.below(3) }, word).join(random.pick([" ", "  ", "\t", " \\\n "]))}`;
  switch (random.below(16)) {
    case 0:
      return `FOO=${word()} env -u LC_ALL sh -c 'echo "$FOO"'`;
    case 1:
      return random.pick(["cd 'sub dir'", "cd nope", "export V=1", "V=$x", "umask 022", "set -e", "true", "false"]);
    case 2:
      return `sh -c 'echo out; echo err >&2; exit ${random.below(4)}'${random.pick(["", " 2>&1", " 2>/dev/null"])}`;
    case 3:
      return `cat ${random.pick(["a.txt", "nope", "< b.txt", "a.txt b.txt"])}${random.pick(["", " > out.txt", " 2>&1", " >> a.txt"])}`;
    case 4:
      return `grep -n b ${random.pick(["*.txt", "nope", "-r ."])} | sort | head -2`;
    case 5:
      return `touch "f ${random.below(3)}" && ls`;
    case 6:
      return random.pick(["ls *.nope", "mkdir d; ls d", "rm -f a.txt", "cp a.txt c.txt", "wc -l < a.txt", "show"]);
    case 7:
      return `timeout 5 ${show()}`;
    case 8:
      return `bash -c 'cd "sub dir" && show inner *'`;
    case 9:
      return `if true; then ${show()}; fi`;
    case 10:
      return `cat <<'E'\n$x & | ;\nE\n`;
    case 11:
      return `! ${show()}`;
    default:
      return show();
  }
}

function line(random: Random): string {
  let text = command(random);
  for (let count = random.below(4); count > 0; count--) {
    const operator = random.pick([" && ", " || ", "; ", "\n", " &&\n", " # note\n", ";"]);
    text += text.endsWith("\n") ? command(random) : operator + command(random);
  }
  return text;
}

describe.skipIf(process.platform === "win32" || !Bun.which("bash"))("run for real, plain and rewritten", () => {
  const options = { prefix: [prefixProgram, "run"], wants: () => true };

  test("two hundred generated lines print, fail and write the same", () => {
    let rewritten = 0;
    for (let seed = 1; rewritten < 200 && seed < 2000; seed++) {
      const text = line(new Random(seed));
      const rewrite = rewriteCommand(text, options);
      if (!rewrite) continue;
      rewritten++;
      expect({ seed, text, ...run(rewrite.command, "rewritten") }).toEqual({ seed, text, ...run(text, "plain") });
    }
    expect(rewritten).toBe(200);
  }, 180_000);

  test.each([
    ["cd 'sub dir' && ls && export A=1 && echo $A && printenv A"],
    ['find "sub dir" -type f'],
    ["seq 1 825 > t.txt; head -825 t.txt > out.txt; cmp out.txt t.txt && echo same"],
    ["show *.nope 'a?b' [ab].txt HEAD^ --x=[%h]"],
    ['show "a -> b & c | d ^ %PATH%"'],
    ["sh -c 'kill -TERM $$'; echo rc=$?"],
    ["sh -c 'exit 7' || show $? \"$_\""],
    ["nosuchprogram a b; show after"],
    ["x=5; show $x; x=6 show $x; show $x"],
    ["set -e; sh -c 'exit 3'; show never"],
    ["true && show a ||\nshow b"],
  ])("the same for %p", (text) => {
    const rewrite = rewriteCommand(text, options);
    expect(rewrite).toBeDefined();
    expect(run(rewrite?.command ?? "", "rewritten")).toEqual(run(text, "plain"));
  });
});
