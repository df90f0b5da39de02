/**
 * Blast radius of a change: the symbols that a diff touches, who depends on them, and which tests reach them. The diff is
 * read from git with hunks only; a deleted file's symbols are gone from the index and are told as a file.
 */
import { UserError } from "../../platform/errors.ts";
import { findGitRoot, git } from "../../platform/git.ts";
import type { Graph } from "./graph.ts";
import { impact, type Walk, type WalkOptions } from "./traverse.ts";
import type { Node } from "./universe.ts";

export interface ChangedFile {
  readonly path: string;
  /** Ranges of lines as they are now. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly isDeleted: boolean;
}

export interface Blast {
  readonly changed: readonly { readonly file: ChangedFile; readonly symbols: readonly Node[] }[];
  readonly walk: Walk;
  /** Test functions and files among what is reached, or among the changed. */
  readonly tests: readonly string[];
}

const TEST_PATH =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|(?:_test|_spec|\.test|\.spec|Tests?|Spec)\.\w+$/;

export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path);
}

/** Changed files against `since` (default: what is not committed, against HEAD), untracked ones included. */
export async function changedFiles(root: string, since: string | undefined): Promise<ChangedFile[]> {
  const base = since ?? "HEAD";
  if (base.startsWith("-")) throw new UserError(`'${base}' is no git revision`);
  const diff = await git(
    [
      "diff",
      "--no-color",
      "--no-ext-diff",
      "--no-renames",
      "--unified=0",
      "--src-prefix=a/",
      "--dst-prefix=b/",
      "--relative",
      base,
      "--",
    ],
    { cwd: root },
  );
  if (diff.code !== 0 && findGitRoot(root) === undefined)
    throw new UserError(
      `${root} is not in a git repository`,
      "what has changed is asked of git: 'git init' and a commit",
    );
  if (diff.code !== 0 && since === undefined && /ambiguous argument 'HEAD'|bad revision 'HEAD'/.test(diff.stderr))
    throw new UserError(`${root} has no commit yet`, "what has changed is told against a commit: make the first one");
  if (diff.code !== 0)
    throw new UserError(
      `git can't compare with '${base}' (${(diff.stderr.split("\n")[0] ?? "").slice(0, 160)})`,
      "name a commit, branch or tag: tokenix blast --since main",
    );
  const files = parseDiff(diff.stdout);
  const untracked = await git(["ls-files", "--others", "--exclude-standard", "-z"], { cwd: root });
  for (const path of untracked.stdout.split("\0").filter(Boolean))
    files.push({ path, ranges: [[1, Number.MAX_SAFE_INTEGER]], isDeleted: false });
  return files;
}

export function parseDiff(text: string): ChangedFile[] {
  const files: { path: string; ranges: [number, number][]; isDeleted: boolean }[] = [];
  let before = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("--- ")) before = unquoted(line.slice(4));
    else if (line.startsWith("+++ ")) {
      const after = unquoted(line.slice(4));
      const isDeleted = after === "/dev/null";
      files.push({ path: (isDeleted ? before : after).replace(/^[ab]\//, ""), ranges: [], isDeleted });
    } else {
      const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (!hunk) continue;
      const start = Number(hunk[1]);
      const count = hunk[2] === undefined ? 1 : Number(hunk[2]);
      // Lines that were only removed touch what is around the place.
      files[files.length - 1]?.ranges.push(count === 0 ? [Math.max(1, start), start + 1] : [start, start + count - 1]);
    }
  }
  return files;
}

/** Git quotes names with bytes outside ASCII: `"a/\303\274.ts"`. */
function unquoted(name: string): string {
  const text = name.replace(/\t$/, "");
  if (!text.startsWith('"')) return text;
  const bytes: number[] = [];
  const body = text.slice(1, -1);
  const simple: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, '"': 34, "\\": 92 };
  for (let i = 0; i < body.length; i++) {
    const octal = body[i] === "\\" ? /^\\([0-3][0-7]{2})/.exec(body.slice(i, i + 4))?.[1] : undefined;
    if (octal) {
      bytes.push(Number.parseInt(octal, 8));
      i += 3;
    } else if (body[i] === "\\") bytes.push(simple[body[++i] ?? ""] ?? 63);
    else bytes.push(...new TextEncoder().encode(body[i]));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

export function blast(graph: Graph, files: readonly ChangedFile[], options: WalkOptions): Blast {
  const changed = files.map((file) => ({ file, symbols: touched(graph, file) }));
  const start = changed.flatMap(({ symbols }) => symbols);
  const walk = start.length === 0 ? { steps: [], truncated: false } : impact(graph, start, options);
  const tests = new Set<string>();
  for (const node of start) if (isTest(node)) tests.add(`${node.path}:${node.startLine} ${node.qualifiedName}`);
  for (const step of walk.steps)
    if (step.node ? isTest(step.node) : isTestPath(step.path))
      tests.add(step.node ? `${step.path}:${step.node.startLine} ${step.name}` : step.path);
  return { changed, walk, tests: [...tests].sort() };
}

function isTest(node: Node): boolean {
  return isTestPath(node.path) || /^tests?(?:\.|$)|\.tests?\./.test(node.qualifiedName);
}

/** The innermost symbols that a change touches; a change outside of all functions touches the type around it, if any. */
function touched(graph: Graph, file: ChangedFile): Node[] {
  const known = graph.universe.fileAt(file.path);
  if (!known || file.isDeleted) return [];
  const nodes = graph.universe.symbolsOf(known.id);
  const hit = nodes.filter((node) => file.ranges.some(([from, to]) => node.docStartLine <= to && node.endLine >= from));
  const parents = new Set<number>();
  for (const node of hit) {
    const lines = file.ranges.filter(([from, to]) => node.docStartLine <= to && node.endLine >= from);
    // The outer symbol counts only for lines that no inner one holds.
    if (node.parentId !== null && lines.every(([from, to]) => from >= node.docStartLine && to <= node.endLine))
      parents.add(node.parentId);
  }
  return hit.filter((node) => !parents.has(node.id));
}
