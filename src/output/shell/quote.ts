/**
 * Words back into text, so that the given shell reads the same words again. What a shell cannot be told reliably
 * (a percent sign in cmd, a double quote in an argument of Windows PowerShell) gives undefined instead of a guess.
 */
import { isReservedWord } from "./compound.ts";
import type { Dialect } from "./types.ts";

/** Safe without quotes in sh, bash, zsh and fish alike: no expansion, glob, brace or history character. */
const PLAIN_BASH = /^[A-Za-z0-9_./:@%+,-](?:[A-Za-z0-9_./:@%+,=-])*$/;
const PLAIN_PWSH = /^(?:--?)?[A-Za-z][A-Za-z0-9_/\\-]*$/;
const PLAIN_CMD = /^[A-Za-z0-9_./:\\@+-]+$/;

/**
 * Joins words into a command line of the dialect.
 *
 *     requote(["grep", "a b", "it's"], "bash") // grep 'a b' 'it'\''s'
 */
export function requote(words: readonly string[], dialect: Dialect = "bash"): string | undefined {
  const out: string[] = [];
  for (const [index, word] of words.entries()) {
    const quoted = quoteWord(word, dialect, index === 0);
    if (quoted === undefined) return undefined;
    out.push(quoted);
  }
  return out.join(" ");
}

function quoteWord(word: string, dialect: Dialect, isProgram: boolean): string | undefined {
  if (word.includes("\0")) return undefined;
  switch (dialect) {
    case "bash":
      if (PLAIN_BASH.test(word) && !(isProgram && (word.includes("=") || isReservedWord(word)))) return word;
      return `'${word.replaceAll("'", "'\\''")}'`;
    case "pwsh": {
      if (PLAIN_PWSH.test(word)) return word;
      // Windows PowerShell hands these to a program as other words than were given
      if (word === "" || word.includes('"') || (/\s/.test(word) && word.endsWith("\\"))) return undefined;
      const quoted = `'${word.replace(/['\u2018\u2019\u201a\u201b]/g, "$&$&")}'`;
      return isProgram ? `& ${quoted}` : quoted;
    }
    case "cmd":
      if (PLAIN_CMD.test(word)) return word;
      if (/[%!"\r\n]/.test(word)) return undefined;
      return `"${word.replace(/\\+$/, "$&$&")}"`;
  }
}
