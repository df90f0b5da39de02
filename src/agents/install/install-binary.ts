/** Copies the running program into the user's own program folder, whole or not at all. Changes no PATH and no profile. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";
import { UserError } from "../../platform/errors.ts";
import { removeQuietly } from "../../platform/files.ts";
import { type Environment, userBinDir } from "../../platform/paths.ts";
import { findInPath } from "./context.ts";

export interface BinaryRequest {
  readonly running: string;
  readonly folder?: string;
  readonly isForced: boolean;
  readonly env: Environment;
}

/** The lines to print. @throws UserError */
export function installBinary({ running, folder, isForced, env }: BinaryRequest): string[] {
  if (!/^tokenix/i.test(basename(running))) {
    throw new UserError(
      "this is not the compiled program",
      "build it with 'bun run build', then run dist/tokenix install-binary",
    );
  }
  const target = resolve(folder ?? userBinDir(env));
  const path = join(target, process.platform === "win32" ? "tokenix.exe" : "tokenix");
  if (existsSync(path)) {
    if (realpathSync(path) === realpathSync(running))
      return [`${path} is this program already`, ...pathAdvice(path, target, env)];
    if (!statSync(path).isFile()) throw new UserError(`${path} is not a file`);
    if (!isForced && !isOurs(path))
      throw new UserError(`${path} is another program`, "--force replaces it, --to names another folder");
  }
  const temporary = join(target, `.tokenix-${process.pid}.part`);
  try {
    mkdirSync(target, { recursive: true });
    copyFileSync(running, temporary);
    chmodSync(temporary, 0o755);
    if (process.platform === "win32" && existsSync(path)) {
      // A running program can't be replaced there, but it can be moved aside.
      const aside = join(target, `.tokenix-${process.pid}.old`);
      renameSync(path, aside);
      renameSync(temporary, path);
      removeQuietly(aside);
    } else renameSync(temporary, path);
  } catch (error) {
    removeQuietly(temporary);
    throw new UserError(
      `${path} can't be written (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
      "--to names another folder",
    );
  }
  return [`copied to ${path}`, ...pathAdvice(path, target, env)];
}

/** Our compiled programs carry this word many times; nothing else does. */
function isOurs(path: string): boolean {
  return readFileSync(path).includes("tokenix install-hook");
}

function pathAdvice(path: string, folder: string, env: Environment): string[] {
  const isListed = (env["PATH"] ?? "").split(delimiter).some((one) => one !== "" && resolve(one) === folder);
  if (!isListed) return [`${folder} is not in PATH: add it, or call the program by its whole path`];
  const found = findInPath("tokenix", env);
  return found === undefined || resolve(found) === path ? [] : [`but PATH finds ${found} first`];
}
