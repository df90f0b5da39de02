/**
 * Windows' cmd, as far as it can be proven: one external program with plain or double-quoted words. Its own commands
 * (`dir`, `copy`, `type`), carets, operators and labels are left alone.
 */
import { refuse } from "./cursor.ts";
import type { CommandLine, Redirection, Word } from "./types.ts";
import { wordList } from "./word-list.ts";

const BUILTINS = wordList(`
  assoc attrib break call cd chdir cls color copy date del dir echo endlocal erase exit for ftype goto help if md mkdir
  mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify
  vol more find sort
`);

/** Bare characters, or quotes: between quotes cmd takes `&`, `|`, `<`, `>`, `^` as they are. */
const WORD = /(?:"[^"\r\n]*"|[^\s"&|<>()^%!@;])+/uy;
const BLANKS = /[ \t]*/y;
const REDIRECTION = /2>(?:&1|nul\b)/iy;

/** Reads a line that is one external command; refuses everything else. */
export function readCmdLine(source: string): CommandLine {
  // a backslash before a quote means one thing to cmd and another to the program
  if (source.includes('\\"')) refuse();
  const words: Word[] = [];
  const redirections: Redirection[] = [];
  let at = skip(BLANKS, source, 0);
  const start = at;
  let end = at;
  while (at < source.length) {
    const behind = skip(REDIRECTION, source, at);
    if (behind > at) {
      const target = word(source, at + (source.charAt(at + 2) === "&" ? 3 : 2), behind);
      const raw = source.slice(at, behind);
      redirections.push({ start: at, end: behind, raw, operator: raw.includes("&") ? ">&" : ">", fd: 2, target });
      end = behind;
    } else {
      end = skip(WORD, source, at);
      if (end === at || redirections.length > 0) refuse();
      words.push(word(source, at, end));
    }
    at = skip(BLANKS, source, end);
    if (at === end && at < source.length) refuse();
  }
  const program = words[0]?.raw ?? "";
  if (!/^[\p{L}_.][\p{L}\p{N}_.+\\/:-]*$/u.test(program) || BUILTINS.has(program.toLowerCase())) refuse();
  const segment = {
    start,
    end,
    text: source.slice(start, end),
    words,
    assignments: [],
    redirections,
    compound: undefined,
    operator: undefined,
    piped: false,
    negated: false,
    timed: false,
    hasHeredoc: false,
    hasSubstitution: false,
  } as const;
  return {
    source,
    dialect: "cmd",
    segments: [segment],
    hasHeredoc: false,
    hasSubstitution: false,
    hasBackground: false,
    isCompound: false,
  };
}

function word(source: string, start: number, end: number): Word {
  const raw = source.slice(start, end);
  const text = raw.replaceAll('"', "");
  return { start, end, raw, text, value: /[%!]/.test(raw) ? undefined : text };
}

/** The place behind a match of a sticky pattern at `at`; `at` when there is none. */
function skip(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}
