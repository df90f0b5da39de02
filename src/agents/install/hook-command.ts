/**
 * The command lines that agents start. An agent that takes a failing hook for a "no" gets a guarded one: a missing,
 * killed or crashing binary then means "go on". The others fail open by themselves and get the plain form.
 */
import type { InstallContext } from "./context.ts";

export type Door = "hook" | "hook-post";

/** `tokenix` alone in files that a repository shares: a colleague's machine has it elsewhere, or not at all. */
export function program(context: InstallContext, options: { readonly shared: boolean }): string {
  if (options.shared) return "tokenix";
  return context.binary;
}

/** For sh and its kind. */
export function shellLine(binary: string, door: Door, dialect: string): string {
  return [shellQuote(binary), door, dialect].filter((word) => word !== "").join(" ");
}

/** For sh: whatever happens to the program, the answer is `otherwise` and the exit code 0. */
export function guardedShellLine(binary: string, door: Door, dialect: string, otherwise: string): string {
  const fallback = otherwise === "" ? "true" : `printf '%s' '${otherwise}'`;
  // Kept until its end: a program that is killed half way must not leave half an answer. And `exec`, as an agent that
  // gives up kills the shell and then waits until nobody holds its pipes: no second shell may.
  return `answer=$(exec ${shellLine(binary, door, dialect)} 2>/dev/null) && printf '%s' "$answer" || ${fallback}`;
}

/**
 * For PowerShell: the program inherits stdin and stdout, as anything that PowerShell itself passes on goes through a
 * code page. The exit code is 0 whatever happens.
 */
export function guardedPowerShellLine(binary: string, door: Door, dialect: string, otherwise: string): string {
  const quoted = powerShellQuote(binary);
  const isThere = /[/\\]/.test(binary)
    ? `Test-Path -LiteralPath ${quoted}`
    : `Get-Command ${quoted} -ErrorAction SilentlyContinue`;
  const call = [`& ${quoted}`, door, dialect].filter((word) => word !== "").join(" ");
  const fallback = otherwise === "" ? "" : ` else { '${otherwise}' }`;
  return `if (${isThere}) { ${call} }${fallback}; exit 0`;
}

/**
 * For cmd /C as Codex calls it, where a quoted program never starts: the bare path, and the bare name where the path
 * has a space.
 */
export function windowsBareLine(binary: string, door: Door, dialect: string): string {
  const path = binary.replaceAll("/", "\\");
  const name = /\s/.test(path) ? "tokenix.exe" : path.toLowerCase().endsWith(".exe") ? path : `${path}.exe`;
  return `${name} ${door} ${dialect}`;
}

export function shellQuote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function powerShellQuote(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}
