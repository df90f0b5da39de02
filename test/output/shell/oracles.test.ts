import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Language, type Node, Parser } from "web-tree-sitter";
import { parseCommandLine, rewriteCommand } from "../../../src/output/shell/index.ts";
import { LineGenerator, Random, spoil } from "./generator.ts";

const MARK = "MARK_OF_OURS";
const bash = Bun.which("bash");
/** Came with bash 5.2. macOS has 3.2, which knows neither this nor `|&` and `&>>`. */
const canPrint = bash !== null && Bun.spawnSync([bash, "--pretty-print", "/dev/null"]).exitCode === 0;

function runBash(...args: string[]): { code: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([bash ?? "bash", ...args], { env: { PATH: "/nowhere" } });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/**
 * The line with a redirection in front of every command that was found. Bash prints redirections behind the words, so
 * a mark that stands in a quote, a comment or a substitution is one that does not move.
 */
function mark(line: string): { marked: string; count: number } | undefined {
  const places = parseCommandLine(line)?.segments.flatMap(({ words }) => words[0]?.start ?? []);
  if (!places) return undefined;
  let marked = "";
  let from = 0;
  for (const at of places) {
    marked += `${line.slice(from, at)} >${MARK} `;
    from = at;
  }
  return { marked: marked + line.slice(from), count: places.length };
}

describe.skipIf(!canPrint)("bash itself", () => {
  const folder = mkdtempSync(join(tmpdir(), "tokenix-shell-"));
  const script = join(folder, "line.sh");

  test("accepts every line that is understood, spoilt ones too, and every rewritten one", () => {
    let understood = 0;
    for (let seed = 1; seed <= 700; seed++) {
      const random = new Random(seed * 7919);
      const whole = new LineGenerator(random).line().line;
      const line = seed % 3 === 0 ? whole : spoil(whole, random);
      if (!parseCommandLine(line)) continue;
      understood++;
      const rewrite = rewriteCommand(line, { prefix: ["/opt/tokenix", "run"], wants: () => true });
      writeFileSync(script, rewrite?.command ?? line);
      const { code, stderr } = runBash("-n", script);
      if (code !== 0 || stderr !== "") expect({ seed, line, stderr }).toBeUndefined();
    }
    expect(understood).toBeGreaterThan(300);
    rmSync(folder, { recursive: true });
  }, 180_000);

  test.skipIf(!canPrint)(
    "sees commands where we see them: marked, it prints the same tree with the marks",
    () => {
      const print = (line: string): string => {
        const file = join(tmpdir(), `tokenix-shell-${process.pid}.sh`);
        writeFileSync(file, line);
        const { code, stdout, stderr } = runBash("--pretty-print", file);
        rmSync(file);
        return code === 0 && stderr === "" ? stdout : `failed: ${stderr}`;
      };
      for (let seed = 1; seed <= 300; seed++) {
        const random = new Random(seed * 104_729);
        const whole = new LineGenerator(random).line().line;
        const line = seed % 2 === 0 ? whole : spoil(whole, random);
        const marks = mark(line);
        if (!marks) continue;
        const plain = print(line);
        const marked = print(marks.marked);
        const moved = ` > ${MARK}`;
        if (marked.replaceAll(moved, "") !== plain || marked.split(moved).length - 1 !== marks.count) {
          expect({ seed, line, marked, plain }).toBeUndefined();
        }
      }
    },
    180_000,
  );
});

describe("tree-sitter's grammar of bash", () => {
  let parser: Parser;

  beforeAll(async () => {
    await Parser.init();
    parser = new Parser();
    parser.setLanguage(await Language.load(require.resolve("tree-sitter-bash/tree-sitter-bash.wasm")));
  });

  /** Where the top-level commands of a line begin; undefined where the grammar gives up. */
  function commandStarts(line: string): number[] | undefined {
    const tree = parser.parse(line);
    if (!tree) return undefined;
    const starts: number[] = [];
    const visit = (node: Node): void => {
      if (node.type === "command") {
        const name = node.childForFieldName("name");
        if (name) starts.push(name.startIndex);
      } else if (["program", "list", "pipeline", "redirected_statement", "negated_command"].includes(node.type)) {
        for (const child of node.namedChildren) if (child) visit(child);
      }
    };
    visit(tree.rootNode);
    const { hasError } = tree.rootNode;
    tree.delete();
    return hasError ? undefined : starts;
  }

  test("finds the same commands, where it knows the construct", () => {
    let compared = 0;
    for (let seed = 1; seed <= 4000; seed++) {
      const { line } = new LineGenerator(new Random(seed * 31)).line();
      // it reads `time` as a program, ends words and lines at an escaped newline, misreads `! if`, `A=~`, `A= b`
      // and redirections without a command (checked by hand against bash)
      if (/\btime\b|\\\n|![ \t]+[({[a-z]|A=[~ \t]|1=[~ \t]|FOO=[~ \t]|=\S*`|>\s*\S*[$"'\\`]|<<</.test(line)) continue;
      const theirs = commandStarts(line);
      if (!theirs) continue;
      const ours = parseCommandLine(line)?.segments.flatMap(({ words }) => words[0]?.start ?? []);
      compared++;
      if (!Bun.deepEquals(ours, theirs)) expect({ seed, line, ours }).toEqual({ seed, line, ours: theirs });
    }
    expect(compared).toBeGreaterThan(400);
  }, 180_000);
});
