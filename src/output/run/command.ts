/** `tokenix run`'s own words: its options end at the first word that is none, everything after is the user's command. */
import { UserError } from "../../platform/errors.ts";

export type RunShell = "bash" | "pwsh" | "cmd";

export interface RunRequest {
  /** What is started, word for word. */
  readonly argv: readonly string[];
  /** The user's line when a shell runs it; else the words, to be joined for matching. */
  readonly line?: string;
  readonly shell?: RunShell;
  readonly raw: boolean;
  readonly explain: boolean;
}

const USAGE = "tokenix run [--raw] [--explain] [--] CMD ARGS…, or: tokenix run --shell bash|pwsh|cmd 'LINE'";

export const RUN_HELP = `${USAGE}

Runs the command as it stands and prints what an agent acts on, in fewer tokens. Exit code, signals, stdin,
environment and working directory are the command's own.

  CMD ARGS…        started word for word, without a shell
  'LINE'           one word with spaces or shell signs: a line for your shell
  --shell S 'LINE' a line for bash, pwsh or cmd
  --raw            every byte as it comes (also TOKENIX_RAW=1)
  --explain        says on stderr which filter ran and what it dropped

What was left out is kept: the last line of the output says how to get it ('tokenix retrieve KEY', or a file).
`;

/**
 * Two forms. Words (`tokenix run git status`) are started as they are, without a shell: what a hook writes in front of a
 * simple command. One word with white space or shell signs (`tokenix run 'a && b'`), or `--shell X LINE`, is a line for
 * that shell. @throws UserError (2) for an option that is not ours.
 */
export function parseRun(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): RunRequest {
  let raw = false;
  let explain = false;
  let shell: RunShell | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--") {
      at++;
      break;
    }
    if (word === "--raw") raw = true;
    else if (word === "--explain") explain = true;
    else if (word === "--shell") shell = shellNamed(args[++at]);
    else if (word.startsWith("--shell=")) shell = shellNamed(word.slice(8));
    else if (word.startsWith("-") && word !== "-")
      throw new UserError(`'tokenix run' has no option '${word}'`, `usage: ${USAGE}`, 2);
    else break;
  }
  const words = args.slice(at);
  const [first] = words;
  if (first === undefined) throw new UserError("'tokenix run' needs a command", `usage: ${USAGE}`, 2);
  if (shell) {
    const line = words.length === 1 ? first : words.join(" ");
    return { argv: shellArgv(shell, line, env), line, shell, raw, explain };
  }
  if (words.length === 1 && /[\s;&|<>$`"'()*?]/.test(first) && !Bun.which(first, { PATH: env["PATH"] ?? "" })) {
    const usual = usualShell(env);
    return { argv: shellArgv(usual, first, env), line: first, shell: usual, raw, explain };
  }
  return { argv: words, raw, explain };
}

function shellNamed(name: string | undefined): RunShell {
  if (name === "bash" || name === "pwsh" || name === "cmd") return name;
  throw new UserError(`--shell is bash, pwsh or cmd, not '${name ?? ""}'`, `usage: ${USAGE}`, 2);
}

function usualShell(env: Readonly<Record<string, string | undefined>>): RunShell {
  return process.platform === "win32" && !gitBash(env) ? "cmd" : "bash";
}

function shellArgv(
  shell: RunShell,
  line: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (shell === "bash") return [bashProgram(env), "-c", line];
  if (shell === "cmd") return ["cmd.exe", "/d", "/s", "/c", line];
  const program = Bun.which("pwsh") ?? "powershell.exe";
  // Without the second line the exit code of a failed program is 1, whatever it was.
  const ended = "if (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }";
  const utf8 = "[Console]::OutputEncoding = [Text.UTF8Encoding]::new();";
  return [program, "-NoProfile", "-NonInteractive", "-Command", `${utf8} ${line}\n${ended}`];
}

/** The user's own shell where it reads bash's language; on Windows the Git Bash that the session runs in. */
function bashProgram(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === "win32") return gitBash(env) ?? "bash.exe";
  const own = env["SHELL"] ?? "";
  return /\/(?:bash|zsh)$/.test(own) ? own : (Bun.which("bash") ?? "/bin/sh");
}

function gitBash(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env["CLAUDE_CODE_GIT_BASH_PATH"];
  if (named) return named;
  const base = env["EXEPATH"];
  if (base) return `${base.replace(/[\\/](?:bin|usr[\\/]bin)$/i, "")}\\bin\\bash.exe`;
  return env["MSYSTEM"] ? (Bun.which("bash") ?? undefined) : undefined;
}
