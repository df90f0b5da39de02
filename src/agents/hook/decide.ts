/** The decision tree: what to do with one call. Each branch is loaded on its own, so that none pays for another. */
import { dialectOf } from "../dialects/index.ts";
import { permissionsFor } from "../permissions/index.ts";
import type { Decision, ToolCall } from "../tool-call.ts";
import { type HookContext, pass } from "./context.ts";
import { mayFailLong } from "./families.ts";

export async function decide(call: ToolCall, context: HookContext): Promise<Decision> {
  if (isSwitchedOff(context.env)) return pass("TOKENIX_DISABLED is set");
  const abilities = dialectOf(call.dialect).abilities(call);
  switch (call.event) {
    case "pre":
      return beforeTool(call, context, abilities);
    case "post":
      return afterTool(call, context, abilities);
    case "post-failure": {
      if (call.kind !== "read" || !abilities.addsContext) return pass("a failure's result can't be replaced");
      await context.guardDisk?.();
      const { decideRefusedRead } = await import("./read-refused.ts");
      return decideRefusedRead(call, context);
    }
    default:
      return pass("an event that we take no part in");
  }
}

type Abilities = ReturnType<ReturnType<typeof dialectOf>["abilities"]>;

async function beforeTool(call: ToolCall, context: HookContext, abilities: Abilities): Promise<Decision> {
  switch (call.kind) {
    case "shell": {
      if (!abilities.rewrites) return pass("this agent can't change a command here");
      if (call.shell.background) return pass("a background job");
      const permissions = await permissionsFor(call, {
        env: context.env,
        ...(context.managedDirs ? { managedDirs: context.managedDirs } : {}),
        ...(context.parent === undefined ? {} : { parent: context.parent }),
      });
      if (permissions.hopeless !== undefined) return pass(`not provably allowed: ${permissions.hopeless}`);
      if (abilities.keepsCommands && !mayFailLong(call.shell.command)) {
        const { hasOwnFilters } = await import("./own-filters.ts");
        if (!(await hasOwnFilters(call.cwd ?? context.cwd, context))) return pass(KEPT);
      }
      const { decideShellBefore } = await import("./shell-before.ts");
      return decideShellBefore(call, context, abilities, permissions);
    }
    case "read": {
      if (!abilities.blocks) return pass("the result is replaced after the read");
      await context.guardDisk?.();
      const { decideReadBefore } = await import("./read-before.ts");
      return decideReadBefore(call, context);
    }
    case "grep": {
      await context.guardDisk?.();
      const { decideGrepBefore } = await import("./grep-before.ts");
      return decideGrepBefore(call, context, abilities);
    }
    default:
      return pass("nothing to do before this tool");
  }
}

async function afterTool(call: ToolCall, context: HookContext, abilities: Abilities): Promise<Decision> {
  if (!abilities.replaces) return pass("this agent's results can't be replaced");
  await context.guardDisk?.();
  switch (call.kind) {
    case "shell": {
      const { decideShellAfter } = await import("./shell-after.ts");
      return decideShellAfter(call, context, abilities);
    }
    case "read": {
      const { decideReadAfter } = await import("./read-after.ts");
      return decideReadAfter(call, context);
    }
    case "grep": {
      const { decideGrepAfter } = await import("./grep-after.ts");
      return decideGrepAfter(call, context);
    }
    case "glob": {
      const { decideGlobAfter } = await import("./glob-after.ts");
      return decideGlobAfter(call, context);
    }
    case "mcp": {
      const { decideMcpAfter } = await import("./mcp-after.ts");
      return decideMcpAfter(call, context);
    }
    default:
      return pass("nothing to do after this tool");
  }
}

const KEPT = "the result is replaced after the command";

export function isSwitchedOff(env: HookContext["env"]): boolean {
  return /^(?:1|true|yes|on)$/i.test(env["TOKENIX_DISABLED"] ?? "");
}
