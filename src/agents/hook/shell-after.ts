/**
 * A command that has run: its output in fewer tokens, with the command, the prompt, the rules and the exit
 * code untouched. Output that a person's own selector made, a machine will read, or an edit will be made from
 * is left as it is, credentials apart.
 */
import { asksForMachineFormat } from "../../output/filters/machine.ts";
import { candidates, parseCommandLine, segmentCandidates } from "../../output/shell/index.ts";
import type { Abilities, CallOf, Decision, ShellResult } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { isExcluded } from "./exclusions.ts";
import { baseName } from "./families.ts";
import { logCall, shownTokens } from "./log.ts";
import { masked } from "./masked.ts";
import { textOnDisk } from "./read-outline.ts";
import { shrink } from "./shrink.ts";

/** What shows files as they are: an agent edits from this text, so no character of it may change. */
const SHOWS_FILES = new Set(
  "cat head tail sed less more nl bat batcat type Get-Content gc awk cut tac jq yq base64".split(" "),
);

/** Of an output that it puts into a file, Claude Code shows a notice and the first 2 KB (measured on 2.1.332). */
const PREVIEW_CHARS = 2_250;

export async function decideShellAfter(
  call: CallOf<"shell">,
  context: HookContext,
  abilities: Abilities,
): Promise<Decision> {
  const { shell } = call;
  const result = await ended(call);
  if (!result || result.unusual || shell.background) return pass("no ordinary output");
  if (result.exitCode === undefined) return pass("the text does not say how the command ended");
  if (result.exitCode !== 0 && call.dialect !== "claude" && !abilities.replacesFailures)
    return pass("a failing command's result is left as it is");
  const line = parseCommandLine(shell.command, shell.dialect);
  const names = line ? line.segments.map(segmentCandidates) : [];
  if (line?.segments.some(({ assignments }) => assignments.some(({ name }) => name === "TOKENIX_DISABLED"))) {
    await logCall(call, context, { action: "bypassed", rawTokens: 0, shownTokens: 0 });
    return pass("TOKENIX_DISABLED stands before the command");
  }
  const programs = line?.segments.map(({ words }) => baseName(words[0]?.text ?? "")) ?? [];
  if (programs.includes("tokenix") || /[\\/]tokenix(?:\.exe)?["']? run\b/.test(shell.command))
    return pass("our own output");
  const project = await context.project(call.cwd);
  if (names.some((one) => one.length > 0 && isExcluded(one, project.config.hook)))
    return pass("excluded by the project's configuration");
  if (!line && project.config.hook.only.length > 0) return pass("excluded by the project's configuration");

  const reason = keptWhole(line, programs, names);
  if (reason !== undefined) return maskedOnly(result, reason);
  const whole = wholeOutput(result);
  const shrunk = await shrink({
    command: shell.command,
    candidates: candidates(shell.command, shell.dialect),
    ...whole,
    exitCode: result.exitCode,
    root: project.root,
    env: context.env,
    dryRun: context.dryRun,
  });
  const stdout = masked(shrunk.stdout);
  const stderr = masked(shrunk.stderr);
  if (isLate(context)) return pass("out of time");
  // Capped: what the agent itself would have cut off was never shown.
  const shownAlone = result.wholeOutputPath === undefined ? result.stdout : result.stdout.slice(0, PREVIEW_CHARS);
  const rawTokens = shownTokens(shownAlone) + shownTokens(result.stderr);
  const now = shownTokens(stdout) + shownTokens(stderr);
  const isSmaller =
    stdout.length + stderr.length < shownAlone.length + result.stderr.length &&
    rawTokens - now >= (abilities.leastSpared ?? 0);
  await logCall(call, context, {
    action: isSmaller ? "intercepted" : "pass",
    by: shrunk.by,
    rawTokens,
    shownTokens: isSmaller ? now : rawTokens,
  });
  if (!isSmaller) return maskedOnly(result, "nothing to shorten");
  return {
    kind: "replace",
    with: { kind: "shell", stdout, stderr, exitCode: result.exitCode },
    why: `${shrunk.by}: ${rawTokens} → ${now} tokens`,
  };
}

/** The result, and how the command ended: Codex says that in its session's record alone. */
async function ended(call: CallOf<"shell">): Promise<ShellResult | undefined> {
  const { result } = call;
  if (!result || result.exitCode !== undefined || call.dialect !== "codex") return result;
  const { recordedExitCode } = await import("../codex-record.ts");
  const exitCode = await recordedExitCode(call);
  return exitCode === undefined ? result : { ...result, exitCode };
}

/** Why this output is not shortened, or undefined. */
function keptWhole(
  line: ReturnType<typeof parseCommandLine>,
  programs: readonly string[],
  names: readonly (readonly string[])[],
): string | undefined {
  if (!line) return "the command line was not understood to the end";
  if (line.isCompound || line.hasHeredoc || line.hasBackground) return "loops, heredocs and jobs are left as they are";
  if (line.segments.some(({ piped }) => piped)) return "another program selected this output already";
  if (programs.some((name) => SHOWS_FILES.has(name))) return "text that an edit may be made from";
  if (names.some((one) => one.some(asksForMachineFormat))) return "output made for a program";
  return undefined;
}

/** The agent keeps the first part only and puts the whole in a file: the whole is what is shrunk. */
function wholeOutput(result: ShellResult): { stdout: string; stderr: string } {
  const text = result.wholeOutputPath === undefined ? undefined : textOnDisk(result.wholeOutputPath);
  return { stdout: text ?? result.stdout, stderr: result.stderr };
}

function maskedOnly(result: ShellResult, why: string): Decision {
  const stdout = masked(result.stdout);
  const stderr = masked(result.stderr);
  if (stdout === result.stdout && stderr === result.stderr) return pass(why);
  const { exitCode } = result;
  const masks = { kind: "shell", stdout, stderr, ...(exitCode === undefined ? {} : { exitCode }) } as const;
  return { kind: "replace", with: masks, why: `${why}; credentials masked` };
}
