/**
 * The line stages of a filter, each a pure function from lines to lines. A stage that leaves lines out without saying
 * so drops known noise; one that cuts (caps, sections, sizing) leaves a marker with the right count.
 */
import { cutAt } from "../../platform/text.ts";
import { type CompiledFilter, type LineTest, MATCHED_CHARACTERS } from "./compile.ts";

export function omittedLines(count: number): string {
  return `[... ${count} ${count === 1 ? "line" : "lines"} omitted ...]`;
}

/** Progress that overwrites itself (`10%\r20%\rdone`) as a terminal would leave it: the last text of the line. */
export function lastOverwrite(line: string): string {
  if (!line.includes("\r")) return line;
  const parts = line.split("\r");
  for (let at = parts.length - 1; at >= 0; at--) if (parts[at]) return parts[at] as string;
  return "";
}

export function capBlocks(lines: readonly string[], filter: CompiledFilter): string[] {
  const caps = filter.blockCaps;
  if (caps.length === 0) return [...lines];
  const out: string[] = [];
  const shown = caps.map(() => 0);
  const hidden = caps.map(() => 0);
  let open = -1;
  let taken = 0;
  for (const line of lines) {
    const start = caps.findIndex((cap) => cap.start(line));
    const cap = caps[start];
    if (cap) {
      open = start;
      taken = 1;
      if (cap.max !== undefined && (shown[start] ?? 0) >= cap.max) {
        hidden[start] = (hidden[start] ?? 0) + 1;
        taken = Number.POSITIVE_INFINITY;
        continue;
      }
      shown[start] = (shown[start] ?? 0) + 1;
      if (cap.keep > 0) out.push(line);
      continue;
    }
    const current = caps[open];
    if (!current) {
      out.push(line);
      continue;
    }
    if (current.end ? current.end(line) : line.trim() === "") {
      open = -1;
      out.push(line);
      continue;
    }
    taken++;
    if (taken <= current.keep || filter.priority?.(line)) out.push(line);
  }
  for (let at = 0; at < caps.length; at++) {
    if ((hidden[at] ?? 0) > 0) out.push(`[... ${hidden[at]} more like the ${shown[at]} above omitted ...]`);
  }
  return out;
}

export function stripAndKeep(lines: readonly string[], filter: CompiledFilter, alwaysKeep: LineTest): string[] {
  const { strip, keep } = filter;
  return lines.filter((line) => !strip?.(line) && (!keep || keep(line) || alwaysKeep(line)));
}

export function replaceInLines(lines: readonly string[], filter: CompiledFilter): string[] {
  if (filter.replace.length === 0) return [...lines];
  return lines.map((line) => {
    if (line.length > MATCHED_CHARACTERS) return line;
    let text = line;
    for (const rule of filter.replace) text = text.replace(rule.pattern, rule.with);
    return text;
  });
}

export function extractSections(lines: readonly string[], filter: CompiledFilter, alwaysKeep: LineTest): string[] {
  const rules = filter.sections;
  if (rules.length === 0) return [...lines];
  const out: string[] = [];
  let found = false;
  let open: (typeof rules)[number] | undefined;
  let size = 0;
  let skipped = 0;
  const close = () => {
    if (skipped > 0) out.push(omittedLines(skipped));
    open = undefined;
    skipped = 0;
  };
  for (const line of lines) {
    if (!open || open.splitOnStart) {
      const rule = rules.find((candidate) => candidate.start(line));
      if (rule) {
        if (open) close();
        open = rule;
        size = 1;
        found = true;
        out.push(line);
        continue;
      }
    }
    if (!open) {
      if (rules.some((rule) => rule.keepOutside) || alwaysKeep(line)) out.push(line);
      continue;
    }
    const ends = open.end ? open.end(line) : !open.splitOnStart && line.trim() === "";
    size++;
    if (open.maxLines === undefined || size <= open.maxLines || alwaysKeep(line)) {
      // A kept line past the cap stands after the count of those before it.
      if (skipped > 0) out.push(omittedLines(skipped));
      skipped = 0;
      out.push(line);
    } else skipped++;
    if (ends) close();
  }
  if (open) close();
  // No record at all: the output has another form than the filter knows, and an unknown line is signal.
  return found ? out : [...lines];
}

export function capCategories(lines: readonly string[], filter: CompiledFilter): { lines: string[]; dropped: number } {
  let current = [...lines];
  let dropped = 0;
  for (const { test, max, label } of filter.categories) {
    let seen = 0;
    let lastDropped = -1;
    const stays = current.map((line, at) => {
      if (!test(line)) return true;
      seen++;
      if (seen <= max) return true;
      lastDropped = at;
      return false;
    });
    if (seen - max < 1) continue;
    const out: string[] = [];
    for (let at = 0; at < current.length; at++) {
      if (stays[at]) out.push(current[at] as string);
      else if (at === lastDropped) out.push(`… +${seen - max} more ${label}`);
    }
    dropped += seen - max;
    current = out;
  }
  return { lines: current, dropped };
}

export interface Sizing {
  readonly head?: number;
  readonly tail?: number;
  readonly max?: number;
  readonly truncateAt?: number;
}

/** Cuts the middle out, and long lines short; a line that `survives` is neither. Every gap says how many lines it had. */
export function size(
  lines: readonly string[],
  sizing: Sizing,
  survives: LineTest,
): { lines: string[]; dropped: number } {
  let head = sizing.head;
  let tail = sizing.tail;
  if (head === undefined && tail === undefined && sizing.max !== undefined) {
    head = Math.ceil((sizing.max * 2) / 3);
    tail = sizing.max - head;
  }
  const truncate = (line: string) =>
    sizing.truncateAt !== undefined && line.length > sizing.truncateAt && !survives(line)
      ? truncateLine(line, sizing.truncateAt)
      : line;
  const window = (head ?? 0) + (tail ?? 0);
  if ((head === undefined && tail === undefined) || lines.length <= window) {
    return { lines: sizing.truncateAt === undefined ? [...lines] : lines.map(truncate), dropped: 0 };
  }
  const from = head ?? 0;
  const to = lines.length - (tail ?? 0);
  const out: string[] = lines.slice(0, from).map(truncate);
  let gap: string[] = [];
  let dropped = 0;
  const closeGap = () => {
    const marker = omittedLines(gap.length);
    // A marker that is longer than what it stands for would only hide it.
    if (gap.length > 0 && (gap.length > 2 || gap.join("\n").length > marker.length)) {
      out.push(marker);
      dropped += gap.length;
    } else out.push(...gap);
    gap = [];
  };
  for (let at = from; at < to; at++) {
    const line = lines[at] as string;
    if (survives(line)) {
      closeGap();
      out.push(line);
    } else gap.push(line);
  }
  closeGap();
  out.push(...lines.slice(to).map(truncate));
  return { lines: out, dropped };
}

function truncateLine(line: string, at: number): string {
  const kept = cutAt(line, at);
  const cut = `${kept}… +${line.length - kept.length} chars`;
  return cut.length < line.length ? cut : line;
}
