/** Matches one text line by line; shared by the main thread and the worker. */

export interface GrepTask {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
}

export type FileMatches = readonly { readonly line: number; readonly text: string }[];

/** A line is shown up to here: a match in a bundle must not print the bundle. */
const MAX_LINE_CHARS = 400;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** `^` and `$` mean a line's ends, `.` never crosses one. */
export function expressionOf(task: GrepTask): RegExp {
  const source = task.literal ? task.pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : task.pattern;
  const flags = task.ignoreCase ? "gmi" : "gm";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Valid without Unicode rules only, as `\-` is.
    return new RegExp(source, flags);
  }
}

/** The matcher of one text: at most `limit` lines, each once. */
export function matchFile(task: GrepTask): (text: string, limit: number) => FileMatches {
  const expression = expressionOf(task);
  return (text, limit) => {
    const found: { line: number; text: string }[] = [];
    let line = 1;
    let counted = 0;
    expression.lastIndex = 0;
    while (found.length < limit) {
      const hit = expression.exec(text);
      if (!hit) break;
      // An empty match past the last line end is on no line.
      if (hit.index === text.length && (text === "" || text.endsWith("\n"))) break;
      for (let at = text.indexOf("\n", counted); at >= 0 && at < hit.index; at = text.indexOf("\n", counted)) {
        line++;
        counted = at + 1;
      }
      const end = text.indexOf("\n", hit.index);
      const stop = end < 0 ? text.length : end;
      found.push({ line, text: clip(text.slice(counted, stop).replace(/\r$/, ""), hit.index - counted) });
      if (end < 0) break;
      expression.lastIndex = end + 1;
    }
    return found;
  };
}

function clip(line: string, at: number): string {
  if (line.length <= MAX_LINE_CHARS) return line;
  const from = Math.max(0, Math.min(at - 80, line.length - MAX_LINE_CHARS));
  const head = from > 0 ? "…" : "";
  const tail = from + MAX_LINE_CHARS < line.length ? "…" : "";
  return `${head}${line.slice(from, from + MAX_LINE_CHARS)}${tail}`;
}
