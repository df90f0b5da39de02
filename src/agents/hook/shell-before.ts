/**
 * A command that is about to run: rewritten to run behind `tokenix run`, or left alone. Left alone is the
 * answer to every doubt, about the line's grammar and about what the user allows.
 */
import { parseCommandLine, rewriteCommand, type Segment, segmentCandidates } from "../../output/shell/index.ts";
import { ancestors, hasBytes, joined } from "../places.ts";
import type { Abilities, CallOf, Decision, ToolCall } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { failsLong } from "./families.ts";

export async function decideShellBefore(
  call: CallOf<"shell">,
  context: HookContext,
  abilities: Abilities,
): Promise<Decision> {
  const { shell } = call;
  if (shell.background) return pass("a background job");
  const line = parseCommandLine(shell.command, shell.dialect);
  if (!line) return pass("the command line was not understood to the end");
  if (line.segments.some(isSwitchedOffHere)) {
    await logBypass(call, context);
    return pass("TOKENIX_DISABLED stands before the command");
  }
  const candidatesOf = new Map<Segment, readonly string[]>();
  for (const segment of line.segments) {
    const candidates = segmentCandidates(segment);
    if (candidates.length > 0) candidatesOf.set(segment, candidates);
  }
  if (candidatesOf.size === 0) return pass("no command that a filter could take");

  const { filteredOnes } = await import("./filter-door.ts");
  const takesBundled = abilities.keepsCommands ? failsLong : () => true;
  const wanted = await filteredOnes(candidatesOf, takesBundled, call.cwd ?? context.cwd, context);
  if (wanted.size === 0)
    return pass(abilities.keepsCommands ? "the result is replaced after the command" : "no filter for this command");
  await dropExcluded(wanted, candidatesOf, call, context);
  if (wanted.size === 0) return pass("excluded by the project's configuration");

  const starts = new Set([...wanted].map((segment) => segment.start));
  const { ownCommand } = await import("./own-command.ts");
  const rewrite = rewriteCommand(shell.command, {
    prefix: ownCommand(shell.dialect),
    dialect: shell.dialect,
    wants: (_candidates, segment) => starts.has(segment.start),
  });
  if (!rewrite) return pass("the shell or another program reads this command's output, or it is already wrapped");
  if (isLate(context)) return pass("out of time");
  const { mayRewrite } = await import("../permissions/index.ts");
  const verdict = await mayRewrite(call, line, {
    env: context.env,
    ...(context.managedDirs ? { managedDirs: context.managedDirs } : {}),
    ...(context.parent === undefined ? {} : { parent: context.parent }),
  });
  if (!verdict.may) return pass(`not provably allowed: ${verdict.why}`);
  return { kind: "rewrite-command", command: rewrite.command, why: verdict.why };
}

/** The configuration is loaded only where a file of that name lies above the call's folder. */
async function dropExcluded(
  wanted: Set<Segment>,
  candidatesOf: ReadonlyMap<Segment, readonly string[]>,
  call: ToolCall,
  context: HookContext,
): Promise<void> {
  if (!hasConfiguration(call.cwd ?? context.cwd)) return;
  const [{ isExcluded }, { config }] = await Promise.all([import("./exclusions.ts"), context.project(call.cwd)]);
  for (const segment of wanted) if (isExcluded(candidatesOf.get(segment) ?? [], config.hook)) wanted.delete(segment);
}

function hasConfiguration(cwd: string): boolean {
  return ancestors(cwd).some((dir) => hasBytes(joined(dir, ".tokenix.toml")) || hasBytes(joined(dir, "tokenix.toml")));
}

/** `TOKENIX_DISABLED=1 git log`: hands off this line. */
function isSwitchedOffHere(segment: Segment): boolean {
  return segment.assignments.some(
    ({ name, raw }) => name === "TOKENIX_DISABLED" && !/=(?:0|false|no|off)?$/i.test(raw),
  );
}

async function logBypass(call: CallOf<"shell">, context: HookContext): Promise<void> {
  if (context.dryRun) return;
  const { logCall } = await import("./log.ts");
  await logCall(call, context, { action: "bypassed", rawTokens: 0, shownTokens: 0 });
}
