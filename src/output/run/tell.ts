/** A standing fault of the user's or the repository's files, said on stderr once an hour instead of at every command. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../platform/files.ts";
import { type Environment, homePath } from "../../platform/paths.ts";
import { writeAll } from "./sink.ts";

const EVERY_MS = 60 * 60 * 1000;
const MOST_LINES = 5;

export function tellOnce(problems: readonly string[], env: Environment): void {
  const stamp = join(homePath("cache", env), `told-${Bun.hash(problems.join("\n")).toString(16)}`);
  try {
    if (Date.now() - statSync(stamp).mtimeMs < EVERY_MS) return;
  } catch {
    // Never told.
  }
  try {
    writeFileAtomic(stamp, "");
  } catch {
    // Then it is told again next time.
  }
  for (const problem of problems.slice(0, MOST_LINES)) writeAll(2, `tokenix: ${problem}\n`);
  if (problems.length > MOST_LINES)
    writeAll(2, `tokenix: and ${problems.length - MOST_LINES} more: 'tokenix filter verify' lists them\n`);
}
