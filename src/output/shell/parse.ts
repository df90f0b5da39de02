/**
 * The entrance: a command line in, its commands out, or undefined when any part of it is not understood to the end.
 * Hand-written and without imports beyond this folder, because it sits on the path of every tool call.
 */
import { readBashLine } from "./bash.ts";
import { readCmdLine } from "./cmd.ts";
import { REFUSAL } from "./cursor.ts";
import { readPlainLine } from "./plain-line.ts";
import { readPwshLine } from "./pwsh.ts";
import { type CommandLine, type Dialect, MAX_LINE_LENGTH } from "./types.ts";

/**
 * Reads one command line as the given shell would.
 *
 *     parseCommandLine("cd x && git status")?.segments.map((segment) => segment.text) // ["cd x", "git status"]
 */
export function parseCommandLine(line: string, dialect: Dialect = "bash"): CommandLine | undefined {
  if (line.length > MAX_LINE_LENGTH || line.includes("\0")) return undefined;
  try {
    switch (dialect) {
      case "bash":
        return readPlainLine(line) ?? readBashLine(line);
      case "pwsh":
        return readPwshLine(line);
      case "cmd":
        return readCmdLine(line);
    }
  } catch (thrown) {
    if (thrown === REFUSAL || thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}
