/** One question for every agent: may this very command be rewritten without changing what the user is asked? */
import type { Env } from "../places.ts";
import type { CallOf } from "../tool-call.ts";
import { judgeClaude, type Verdict } from "./claude.ts";
import { judgeCodex } from "./codex.ts";
import type { RuleLine } from "./command.ts";
import { judgeAntigravity, judgeCopilot, judgeGemini, judgeUnknown } from "./others.ts";
import { flagWithRules } from "./session-flags.ts";
import { claudeRules } from "./settings.ts";

export type { Verdict } from "./claude.ts";

export interface PermissionDeps {
  readonly env: Env;
  readonly managedDirs?: readonly string[];
  /** The hook's parent process; tests name another. */
  readonly parent?: number;
}

export async function mayRewrite(call: CallOf<"shell">, line: RuleLine, deps: PermissionDeps): Promise<Verdict> {
  const verdict = await judge(call, line, deps);
  if (!verdict.may) return verdict;
  const flag = await flagWithRules(deps.parent);
  return flag === undefined ? verdict : { may: false, why: `the agent was started with ${flag}` };
}

async function judge(call: CallOf<"shell">, line: RuleLine, deps: PermissionDeps): Promise<Verdict> {
  const { env } = deps;
  switch (call.dialect) {
    case "claude": {
      const rules = await claudeRules({
        cwd: call.cwd,
        env,
        ...(deps.managedDirs ? { managedDirs: deps.managedDirs } : {}),
      });
      return judgeClaude({ line, tool: call.tool, input: call.input, mode: call.permissionMode }, rules);
    }
    case "codex":
      return judgeCodex({ line, mode: call.permissionMode, cwd: call.cwd, env });
    case "copilot":
      return judgeCopilot(env);
    case "antigravity":
      return judgeAntigravity(env);
    case "gemini":
      return judgeGemini(call.cwd, env);
    default:
      return judgeUnknown();
  }
}
