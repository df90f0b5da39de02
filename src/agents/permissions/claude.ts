/**
 * May a command of Claude Code be rewritten, with "allow" in the answer? Only where the user's own rules,
 * read for the original command, already let it run unasked, or the mode asks nothing and no rule refuses it.
 */

import { plainCommand, programs, type RuleLine, refusalTexts } from "./command.ts";
import { allows, isExact, mayRefuse, namesTool, type Rule } from "./rule.ts";
import type { ClaudeRules } from "./settings.ts";

export interface Verdict {
  readonly may: boolean;
  readonly why: string;
}

export interface ClaudeRequest {
  readonly line: RuleLine;
  /** `Bash` or `PowerShell`. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly mode: string | undefined;
}

/** Commands whose paths Claude Code holds against the rules for files. Behind a wrapper it would not know them. */
const FILE_COMMANDS = new Set(
  (
    "cat head tail sed less more grep egrep fgrep rg find ls tree cp mv rm rmdir mkdir touch tee awk sort uniq cut tr wc " +
    "diff cmp stat file du od xxd hexdump strings nl tac rev paste join comm ln chmod chown dd tar zip unzip jq yq bat fd"
  ).split(" "),
);

const FILE_TOOLS = ["Read", "Edit", "Write", "Glob", "Grep", "NotebookEdit"];

export function judgeClaude(request: ClaudeRequest, rules: ClaudeRules): Verdict {
  if (rules.doubt !== undefined) return no(rules.doubt);
  const refusal = refusedBy(request, rules.refuse);
  if (refusal) return no(`the rule ${refusal} may concern this command`);
  switch (request.mode) {
    case "bypassPermissions":
      return { may: true, why: "the session asks nothing (bypassPermissions) and no rule refuses the command" };
    case "default":
    case "acceptEdits":
    case "dontAsk":
      return covered(request, rules.allow);
    case "auto":
      // Wide allow rules are laid aside there, and a classifier judges what they covered.
      return covered(request, rules.allow.filter(isExact));
    default:
      return no(`permission mode ${request.mode ?? "not told"}`);
  }
}

function covered(request: ClaudeRequest, rules: readonly Rule[]): Verdict {
  const own = rules.filter((rule) => namesTool(rule, request.tool, false));
  if (own.length === 0) return no("no allow rule for this tool");
  const used = new Set<string>();
  for (const segment of request.line.segments) {
    const text = plainCommand(request.line, segment);
    if (text === undefined) return no(`'${segment.text}' is more than a plain command`);
    const rule = own.find((one) => allows(one, text));
    if (!rule) return no(`no allow rule covers '${text}'`);
    used.add(rule.source);
  }
  return request.line.segments.length === 0
    ? no("no command")
    : { may: true, why: `allowed by ${[...used].join(", ")}` };
}

function refusedBy(request: ClaudeRequest, rules: readonly Rule[]): string | undefined {
  const texts = refusalTexts(request.line);
  const usesFiles = programs(request.line).some((name) => FILE_COMMANDS.has(name));
  for (const rule of rules) {
    if (namesTool(rule, request.tool, true) && mayRefuse(rule, texts, request.input)) return rule.source;
    if (usesFiles && FILE_TOOLS.some((tool) => namesTool(rule, tool, true))) return rule.source;
  }
  return undefined;
}

function no(why: string): Verdict {
  return { may: false, why };
}
