/**
 * One question for every agent: may this very command be rewritten without changing what the user is asked?
 * Asked in two steps, since most calls are answered by the first: is there any rule or mode that could allow it at
 * all, and, once the line is understood, is it allowed.
 */
import type { Env } from "../places.ts";
import type { CallOf } from "../tool-call.ts";
import { judgeClaude, type Rewritten, type Verdict, whyHopeless } from "./claude.ts";
import { judgeCodex } from "./codex.ts";
import type { RuleLine } from "./command.ts";
import { judgeAntigravity, judgeGemini, UNPROVED } from "./others.ts";
import { flagWithRules } from "./session-flags.ts";
import { claudeRules } from "./settings.ts";

export type { Rewritten, Verdict } from "./claude.ts";

export interface PermissionDeps {
  readonly env: Env;
  readonly managedDirs?: readonly string[];
  /** The hook's parent process; tests name another. */
  readonly parent?: number;
}

export interface Permissions {
  /** Why nothing could be proved for any command; undefined when it depends on the line. */
  readonly hopeless: string | undefined;
  /** The line is read only where a rule has to be held against it. */
  judge(read: () => RuleLine | undefined, rewritten?: Rewritten): Promise<Verdict>;
}

export async function permissionsFor(call: CallOf<"shell">, deps: PermissionDeps): Promise<Permissions> {
  const permissions = await ofAgent(call, deps);
  // Begun before the line is understood and awaited last: the processes are read by another thread meanwhile.
  const flag = permissions.hopeless === undefined ? flagWithRules(deps.parent) : undefined;
  return {
    hopeless: permissions.hopeless,
    async judge(read, rewritten) {
      const verdict = await permissions.judge(read, rewritten);
      const given = verdict.may ? await flag : undefined;
      return given === undefined ? verdict : { may: false, why: `the agent was started with ${given}` };
    },
  };
}

async function ofAgent(call: CallOf<"shell">, deps: PermissionDeps): Promise<Permissions> {
  const { env } = deps;
  switch (call.dialect) {
    case "claude": {
      const { cwd, tool, input, permissionMode: mode } = call;
      const rules = await claudeRules({ cwd, env, ...(deps.managedDirs ? { managedDirs: deps.managedDirs } : {}) });
      return {
        hopeless: whyHopeless(tool, mode, rules),
        judge: async (read, rewritten) =>
          judgeClaude({ read, tool, input, mode, ...(rewritten ? { rewritten } : {}) }, rules),
      };
    }
    case "codex":
      return {
        hopeless: undefined,
        async judge(read) {
          const line = read();
          const recorded = async () => (await import("../codex-record.ts")).recordedCall(call);
          return line ? judgeCodex({ line, mode: call.permissionMode, recorded, cwd: call.cwd, env }) : UNPROVED;
        },
      };
    case "antigravity":
      return fixed(await judgeAntigravity(env));
    case "gemini":
      return fixed(await judgeGemini(call.cwd, env));
    default:
      return fixed(UNPROVED);
  }
}

/** Where a setting decides for all commands alike. */
function fixed(verdict: Verdict): Permissions {
  return { hopeless: verdict.may ? undefined : verdict.why, judge: async () => verdict };
}
