/**
 * A command that is about to run: rewritten to run behind `tokenix run`, or left alone. Left alone is the
 * answer to every doubt, about the line's grammar and about what the user allows.
 */
import { bundledTable } from "../../output/filters/bundled.ts";
import { lookup } from "../../output/filters/lookup.ts";
import { parseCommandLine } from "../../output/shell/parse.ts";
import { rewriteCommand } from "../../output/shell/rewrite.ts";
import type { Permissions } from "../permissions/index.ts";
import { ancestors, firstWith } from "../places.ts";
import type { Abilities, CallOf, Decision } from "../tool-call.ts";
import { type HookContext, isLate, pass } from "./context.ts";
import { type CommandLists, isExcluded } from "./exclusions.ts";
import { failsLong } from "./families.ts";
import { ownCommand } from "./own-command.ts";
import { hasOwnFilters } from "./own-filters.ts";

export async function decideShellBefore(
  call: CallOf<"shell">,
  context: HookContext,
  abilities: Abilities,
  permissions: Permissions,
): Promise<Decision> {
  const { shell } = call;
  const cwd = call.cwd ?? context.cwd;
  const lists = await configuredLists(cwd, context);
  const bundled = (candidates: readonly string[]) =>
    (!abilities.keepsCommands || failsLong(candidates)) && lookup(bundledTable(), candidates) !== undefined;
  const seen = { wanted: 0, excluded: 0, rest: 0 };
  const rewriteWith = (has: (candidates: readonly string[]) => boolean) =>
    rewriteCommand(shell.command, {
      prefix: ownCommand(),
      dialect: shell.dialect,
      wants(candidates) {
        const isWanted = has(candidates);
        seen[isWanted ? "wanted" : "rest"]++;
        if (!isWanted || !isExcluded(candidates, lists)) return isWanted;
        seen.excluded++;
        return false;
      },
    });
  let rewrite = rewriteWith(bundled);
  if (seen.rest > 0 && (await hasOwnFilters(cwd, context))) {
    const own = await ownFilters(cwd, context);
    rewrite = rewriteWith((candidates) => bundled(candidates) || own(candidates));
  }
  if (!rewrite) {
    // Where the result comes by later, it is counted there.
    if (!abilities.keepsCommands) await logBypass(call, context);
    if (seen.excluded > 0) return pass("excluded by the project's configuration");
    if (seen.wanted > 0) return pass("the rewritten line could not be proven to mean the same");
    return pass(
      seen.rest > 0
        ? abilities.keepsCommands
          ? "the result is replaced after the command"
          : "no filter for this command"
        : "not understood to the end, read by another program, interactive, endless, or wrapped already",
    );
  }
  if (isLate(context)) return pass("out of time");
  const verdict = await permissions.judge(() => parseCommandLine(shell.command, shell.dialect), {
    command: rewrite.command,
    prefix: ownCommand().join(" "),
  });
  if (!verdict.may) return pass(`not provably allowed: ${verdict.why}`);
  return { kind: "rewrite-command", command: rewrite.command, why: verdict.why };
}

const NO_LISTS: CommandLists = { only: [], exclude: [] };

/** The configuration is loaded only where a file of that name lies in a folder above. */
async function configuredLists(cwd: string, context: HookContext): Promise<CommandLists> {
  // A project reaches no higher than its checkout.
  const dir = firstWith(ancestors(cwd), "/.tokenix.toml", "/tokenix.toml", "/.git/HEAD");
  if (dir === undefined || firstWith([dir], "/.tokenix.toml", "/tokenix.toml") === undefined) return NO_LISTS;
  return (await context.project(cwd)).config.hook;
}

/** Filters of the user, and of a repository that is trusted. */
async function ownFilters(cwd: string, context: HookContext): Promise<(candidates: readonly string[]) => boolean> {
  const { openFilters } = await import("../../output/filters/find.ts");
  const set = await openFilters((await context.project(cwd)).root, context.env);
  return (candidates) => (set.find(candidates)?.tier ?? "bundled") !== "bundled";
}

/** `TOKENIX_DISABLED=1 git log`: counted, so that a report can tell how often people opt out. */
async function logBypass(call: CallOf<"shell">, context: HookContext): Promise<void> {
  if (context.dryRun || !call.shell.command.includes("TOKENIX_DISABLED=")) return;
  const { logCall } = await import("./log.ts");
  await logCall(call, context, { action: "bypassed", rawTokens: 0, shownTokens: 0 });
}
