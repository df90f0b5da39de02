/** The one line that says how to get the rest, as a command that works where it is pasted. */

/** `tokenix` where that is us on PATH, else the path of this program. */
export function ourCommand(): string {
  const self = process.execPath;
  const isCompiled = !/[\\/]bun(?:\.exe)?$/.test(self);
  if (!isCompiled) return `bun ${quoted(Bun.main)}`;
  const found = Bun.which("tokenix");
  return found ? "tokenix" : quoted(self.replaceAll("\\", "/"));
}

export function retrieveHint(key: string, what: string): string {
  return `[tokenix: ${what}; all of it: ${ourCommand()} retrieve ${key} (or --grep RE, --lines A-B, --tail N)]`;
}

/** @param left lines that stand nowhere in what is shown. */
export function teeHint(path: string, left: { lines: number; of: number }): string {
  const what = left.lines > 0 ? `[${left.lines} of ${left.of} ${left.of === 1 ? "line" : "lines"} not shown] ` : "";
  return `${what}[full output (credentials masked): ${path}]`;
}

export function repeatHint(key: string, agoSeconds: number, lines: number): string {
  const ago = agoSeconds < 90 ? `${agoSeconds} s` : `${Math.round(agoSeconds / 60)} min`;
  return `[tokenix: same ${lines} lines as ${ago} ago, exit 0; again in full: ${ourCommand()} retrieve ${key}]`;
}

function quoted(path: string): string {
  return /^[\w./:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
