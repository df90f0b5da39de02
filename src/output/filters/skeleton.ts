/** The beginning of a filter, made from recordings: the tool's name, its repetitive lines, and the recordings as cases. */
import { splitLines, stripAnsi } from "../../platform/text.ts";
import { isFailureLine } from "./failure.ts";
import type { Recording } from "./record.ts";
import { slugOf } from "./record.ts";
import { tomlString } from "./toml-write.ts";

/** So many lines of one shape in a success are a class to be capped. */
const FEWEST_OF_A_CLASS = 8;
const MOST_CLASSES = 6;
const MOST_CASES = 6;

/** @param command the words that name the tool (`widget test`); recordings without any success or failure are fine. */
export function filterSkeleton(command: string, recordings: readonly Recording[]): { name: string; toml: string } {
  const name = slugOf(command);
  const words = command.trim().split(/\s+/).map(escaped);
  const classes = repetitiveClasses(recordings.filter((one) => one.exitCode === 0));
  const merged = recordings.some((one) => one.merged || one.stderr !== "");
  const lines = [
    `[filters.${name}]`,
    `description = ${tomlString(`${command}: TODO say what is kept`)}`,
    `match_command = ${tomlString(`^${words.join("\\s+")}(?:\\s|$)`)}`,
    ...(merged ? ["filter_stderr = true"] : []),
    ...(classes.length > 0
      ? [
          "category_caps = [",
          ...classes.map(
            ({ pattern, label }) => `  { pattern = ${tomlString(pattern)}, max = 3, label = ${tomlString(label)} },`,
          ),
          "]",
        ]
      : []),
    "max_lines = 200",
    "passthrough_when_emptied = true",
    "",
    ...casesOf(recordings).flatMap((recording, at) => [
      `[[tests.${name}]]`,
      `name = ${tomlString(`recorded ${at + 1}, exit ${recording.exitCode}`)}`,
      `command = ${tomlString(recording.command)}`,
      `source = ${tomlString(`recorded ${recording.at}`)}`,
      ...(recording.exitCode === 0 ? [] : [`exit_code = ${recording.exitCode}`]),
      `input = ${tomlString(recording.stdout, true)}`,
      ...(recording.stderr === "" ? [] : [`stderr = ${tomlString(recording.stderr, true)}`]),
      `must_keep = [${factsOf(recording)
        .map((fact) => tomlString(fact))
        .join(", ")}]`,
      "",
    ]),
  ];
  return { name, toml: `${lines.join("\n").trimEnd()}\n` };
}

/** Failures first, then the longest: those are what a filter must prove itself on. */
function casesOf(recordings: readonly Recording[]): Recording[] {
  const size = (one: Recording) => one.stdout.length + one.stderr.length;
  return [...recordings]
    .sort((a, b) => Number(b.exitCode !== 0) - Number(a.exitCode !== 0) || size(b) - size(a))
    .slice(0, MOST_CASES);
}

/** The lines that speak of failure, as patterns: what the author keeps at the least. */
function factsOf(recording: Recording): string[] {
  const lines = splitLines(stripAnsi(recording.stdout + recording.stderr)).map((line) => line.trim());
  const telling = recording.exitCode === 0 ? lines.filter(Boolean).slice(-1) : lines.filter(isFailureLine).slice(0, 5);
  return telling.map((line) => escaped(line.slice(0, 80)));
}

function repetitiveClasses(recordings: readonly Recording[]): { pattern: string; label: string }[] {
  const counts = new Map<string, number>();
  for (const { stdout } of recordings) {
    for (const line of splitLines(stripAnsi(stdout))) {
      if (isFailureLine(line)) continue;
      const first = /^\s*[A-Za-z][\w-]*(?:[ :]|$)/.exec(line)?.[0];
      if (first) counts.set(first, (counts.get(first) ?? 0) + 1);
    }
  }
  return [...counts]
    .filter(([, count]) => count >= FEWEST_OF_A_CLASS)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_CLASSES)
    .map(([start]) => ({ pattern: `^${escaped(start)}`, label: `'${start.trim()}' lines` }));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
