/**
 * Windows' cmd, as far as it can be proven: one external program with plain or double-quoted words. Its own commands
 * (`dir`, `copy`, `type`), carets, operators and labels are left alone.
 */
import { refuse } from "./cursor.ts";
import { readOneCommand, type Syntax } from "./plain-command.ts";
import type { CommandLine } from "./types.ts";
import { wordList } from "./word-list.ts";

const BUILTINS = wordList(`
  assoc attrib break call cd chdir cls color copy date del dir echo endlocal erase exit for ftype goto help if md mkdir
  mklink move path pause popd prompt pushd rd rem ren rename rmdir set setlocal shift start time title type ver verify
  vol more find sort
`);

/** Made when a line of cmd comes: on other systems none does, and a pattern of every letter takes time to make. */
function syntax(): Syntax {
  const program = /^[\p{L}_.][\p{L}\p{N}_.+\\/:-]*$/u;
  return {
    dialect: "cmd",
    // Bare characters, or quotes: between quotes cmd takes `&`, `|`, `<`, `>`, `^` as they are.
    word: /(?:"[^"\r\n]*"|[^\s"&|<>()^%!@;])+/uy,
    redirection: /2>(?:&1|nul\b)/iy,
    wordOf(source, start, end) {
      const raw = source.slice(start, end);
      const text = raw.replaceAll('"', "");
      return { start, end, raw, text, value: /[%!]/.test(raw) ? undefined : text };
    },
    isProgram: ({ raw }) => program.test(raw) && !BUILTINS.has(raw.toLowerCase()),
  };
}

/** Reads a line that is one external command; refuses everything else. */
export function readCmdLine(source: string): CommandLine {
  // a backslash before a quote means one thing to cmd and another to the program
  if (source.includes('\\"')) refuse();
  return readOneCommand(source, syntax());
}
