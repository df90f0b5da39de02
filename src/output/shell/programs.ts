/** Holds a command against the lists of program-rules.ts and rule-list.ts. It looks at words only; nothing is looked up on disk. */

import { rulesText } from "../../generated/program-rules.ts";
import { anyOf, firstOf, kept, mapped } from "../../platform/lists.ts";
import {
  ENDLESS_SCRIPT,
  FORMAT_FLAGS,
  HUMAN_FORMATS,
  MACHINE_FLAGS,
  MACHINE_VALUE,
  type Reason,
  SCRIPT_RUNNERS,
  SHELL_WORDS,
  SHORT_WATCH,
  SIGN_IN,
  WATCH_FLAGS,
} from "./program-rules.ts";

/** A rule of one program as `scripts/generate/program-rules.ts` writes it. */
export type StoredRule = readonly [
  reason: Reason,
  /** For each word behind the program, what it may be. */
  path: readonly (readonly string[])[],
  /** Only with one of these options. */
  when: readonly string[],
  /** Not with one of these. */
  unless: readonly string[],
  operandsBelow: number | null,
];

/** One line a program, so that a call reads the rules of its own program and no others. */
function rulesOf(program: string): readonly StoredRule[] {
  if (program === "" || program.includes("\n") || program.includes("\t")) return [];
  const at = rulesText.indexOf(`\n${program}\t`);
  if (at < 0) return [];
  const from = at + program.length + 2;
  return JSON.parse(rulesText.slice(from, rulesText.indexOf("\n", from))) as StoredRule[];
}

/**
 * Why a command, given as its words without quotes, program by its bare name, may not run behind our prefix;
 * undefined when nothing speaks against it.
 */
export function whyLeftAlone(command: readonly string[]): Reason | undefined {
  const program = command[0] ?? "";
  if (SHELL_WORDS.has(program)) return "shell";
  if (program === "tokenix") return "ours";
  const args = mapped(command.slice(1), (word) => word.trimEnd());
  for (const rule of rulesOf(program)) if (applies(rule, args)) return rule[0];
  if (anyOf(args.slice(0, 3), (arg) => SIGN_IN.has(arg))) return "interactive";
  // what stands behind `npm test --` is for the script's program, options too
  const passed = SCRIPT_RUNNERS.has(program) ? kept(args, (arg) => arg !== "--") : args;
  if (runsEndlessly(program, passed)) return "endless";
  return isMachineFormat(passed) ? "machine" : undefined;
}

function applies([, path, when, unless, operandsBelow]: StoredRule, args: readonly string[]): boolean {
  for (const [index, alternatives] of path.entries()) {
    if (!alternatives.includes(args[index] ?? "")) return false;
  }
  const rest = path.length === 0 ? args : args.slice(path.length);
  if (when.length > 0 && !anyOf(when, (flag) => hasFlag(rest, flag))) return false;
  if (anyOf(unless, (flag) => hasFlag(rest, flag, MAX_CLUSTER))) return false;
  if (operandsBelow === null) return true;
  return kept(rest, (arg) => !arg.startsWith("-")).length < operandsBelow;
}

/** `-Atc` is three letters; a longer one may as well be a letter and its value, as in `-hlocalhost`. */
const MAX_CLUSTER = 5;

/** Whether an option is given: alone, with `=value`, or (a single letter) among others as in `-it`. */
function hasFlag(args: readonly string[], flag: string, maxCluster = Number.POSITIVE_INFINITY): boolean {
  const letter = flag.length === 2 && flag.startsWith("-") ? flag.charAt(1) : undefined;
  for (const arg of args) {
    if (arg === "--") return false;
    if (arg === flag) return true;
    if (!arg.startsWith("-")) continue;
    if (arg.charAt(flag.length) === "=" && arg.startsWith(flag)) return !isOff(arg.slice(flag.length + 1));
    if (
      letter &&
      arg.length <= maxCluster &&
      arg.charAt(1) !== "-" &&
      arg.includes(letter) &&
      /^-[A-Za-z0-9]+$/.test(arg)
    )
      return true;
  }
  return false;
}

function isOff(value: string): boolean {
  return value === "false" || value === "0" || value === "no" || value === "off";
}

function runsEndlessly(program: string, args: readonly string[]): boolean {
  if (SCRIPT_RUNNERS.has(program)) {
    const script = firstOf(
      args,
      (arg) => !arg.startsWith("-") && arg !== "run" && arg !== "run-script" && arg !== "task",
    );
    if (script && ENDLESS_SCRIPT.test(script)) return true;
  }
  for (const arg of args) {
    if (arg === "--") break;
    if (!arg.startsWith("-")) continue;
    if (arg === "-w" && SHORT_WATCH.has(program)) return true;
    const { name, value } = splitOption(arg);
    if (WATCH_FLAGS.has(name.toLowerCase()) && !(value !== undefined && isOff(value))) return true;
  }
  return false;
}

/** Whether the options ask for a format that programs read, or name the fields wanted. */
function isMachineFormat(args: readonly string[]): boolean {
  for (const [index, arg] of args.entries()) {
    if (arg === "--") return false;
    if (!arg.startsWith("-")) continue;
    const { name, value = args[index + 1] ?? "" } = splitOption(arg);
    const flag = name.length > 2 ? name.toLowerCase() : name;
    if (MACHINE_FLAGS.has(flag) || flag.includes("json")) return true;
    // `-oyaml`, `-ojsonpath=…`
    if (flag.length > 3 && (flag.startsWith("-o") || arg.startsWith("-F")) && MACHINE_VALUE.test(flag.slice(2)))
      return true;
    if (!FORMAT_FLAGS.has(flag)) continue;
    if (flag === "--format" || (flag === "--pretty" && arg !== name)) {
      if (!HUMAN_FORMATS.has(value)) return true;
    } else if (flag !== "--pretty" && value.length <= 200 && MACHINE_VALUE.test(value)) return true;
  }
  return false;
}

function splitOption(arg: string): { name: string; value: string | undefined } {
  const equals = arg.indexOf("=");
  return equals > 0 ? { name: arg.slice(0, equals), value: arg.slice(equals + 1) } : { name: arg, value: undefined };
}
