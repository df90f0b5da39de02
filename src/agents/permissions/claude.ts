/**
 * May a command of Claude Code be rewritten, with "allow" in the answer? Only where the user's own rules,
 * read for the original command, already let it run unasked, or the mode asks nothing and no rule refuses it.
 */

import { wordList } from "../../output/shell/word-list.ts";
import { anyOf, firstOf, kept } from "../../platform/lists.ts";
import { plainCommand, programs, type RuleLine, refusalTexts } from "./command.ts";
import { allows, isExact, mayRefuse, mayRefuseFromStart, namesTool, type Rule } from "./rule.ts";
import type { ClaudeRules } from "./settings.ts";

export interface Verdict {
  readonly may: boolean;
  readonly why: string;
}

export interface ClaudeRequest {
  readonly read: () => RuleLine | undefined;
  /** `Bash` or `PowerShell`. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly mode: string | undefined;
  readonly rewritten?: Rewritten;
}

/** What the line would become: rules that refuse are held against it by the agent, whatever the hook says. */
export interface Rewritten {
  readonly command: string;
  /** What each wrapped command begins with. */
  readonly prefix: string;
}

/** Commands whose paths Claude Code holds against the rules for files. Behind a wrapper it would not know them. */
const FILE_COMMANDS = wordList(
  "cat head tail sed less more grep egrep fgrep rg find ls tree cp mv rm rmdir mkdir touch tee awk sort uniq cut tr wc " +
    "diff cmp stat file du od xxd hexdump strings nl tac rev paste join comm ln chmod chown dd tar zip unzip jq yq bat fd",
);

const FILE_TOOLS = ["Read", "Edit", "Write", "Glob", "Grep", "NotebookEdit"];

/** What can be said before the line is looked at: no rule and no mode could allow anything. */
export function whyHopeless(tool: string, mode: string | undefined, rules: ClaudeRules): string | undefined {
  if (rules.doubt !== undefined) return rules.doubt;
  switch (mode) {
    case "bypassPermissions":
      return undefined;
    case "default":
    case "acceptEdits":
    case "dontAsk":
    case "auto": {
      const own = anyOf(rules.allow, (rule) => namesTool(rule, tool, false) && (mode !== "auto" || isExact(rule)));
      return own ? undefined : "no allow rule for this tool";
    }
    default:
      return `permission mode ${mode ?? "not told"}`;
  }
}

export function judgeClaude(request: ClaudeRequest, rules: ClaudeRules): Verdict {
  const verdict = judgeOriginal(request, rules);
  const refusal =
    verdict.may && request.rewritten ? wrapperRefusedBy(request.rewritten, request.tool, rules.refuse) : "";
  return refusal ? no(`the rule ${refusal} would refuse the rewritten command`) : verdict;
}

function judgeOriginal(request: ClaudeRequest, rules: ClaudeRules): Verdict {
  if (rules.doubt !== undefined) return no(rules.doubt);
  const isFree = request.mode === "bypassPermissions";
  const line = isFree && rules.refuse.length === 0 ? undefined : request.read();
  if (!line && !(isFree && rules.refuse.length === 0)) return no("the command line was not understood to the end");
  const refusal = line && refusedBy(line, request, rules.refuse);
  if (refusal) return no(`the rule ${refusal} may concern this command`);
  switch (request.mode) {
    case "bypassPermissions":
      return { may: true, why: "the session asks nothing (bypassPermissions) and no rule refuses the command" };
    case "default":
    case "acceptEdits":
    case "dontAsk":
      return covered(line, request.tool, rules.allow);
    case "auto":
      // Wide allow rules are laid aside there, and a classifier judges what they covered.
      return covered(line, request.tool, rules.allow.filter(isExact));
    default:
      return no(`permission mode ${request.mode ?? "not told"}`);
  }
}

function covered(line: RuleLine | undefined, tool: string, rules: readonly Rule[]): Verdict {
  const own = kept(rules, (rule) => namesTool(rule, tool, false));
  if (!line) return no("no command");
  if (own.length === 0) return no("no allow rule for this tool");
  const used = new Set<string>();
  for (const segment of line.segments) {
    const text = plainCommand(line, segment);
    if (text === undefined) return no(`'${segment.text}' is more than a plain command`);
    const rule = firstOf(own, (one) => allows(one, text));
    if (!rule) return no(`no allow rule covers '${text}'`);
    used.add(rule.source);
  }
  return line.segments.length === 0 ? no("no command") : { may: true, why: `allowed by ${[...used].join(", ")}` };
}

function refusedBy(line: RuleLine, request: ClaudeRequest, rules: readonly Rule[]): string | undefined {
  const texts = refusalTexts(line);
  const usesFiles = anyOf(programs(line), (name) => FILE_COMMANDS.has(name));
  for (const rule of rules) {
    if (namesTool(rule, request.tool, true) && mayRefuse(rule, texts, request.input)) return rule.source;
    if (usesFiles && anyOf(FILE_TOOLS, (tool) => namesTool(rule, tool, true))) return rule.source;
  }
  return undefined;
}

function wrapperRefusedBy(rewritten: Rewritten, tool: string, rules: readonly Rule[]): string | undefined {
  const { command, prefix } = rewritten;
  for (const rule of rules) {
    if (!namesTool(rule, tool, true)) continue;
    // The path may stand in quotes in the command itself.
    if (mayRefuseFromStart(rule, `${prefix} `)) return rule.source;
    for (let at = command.indexOf(prefix); at >= 0; at = command.indexOf(prefix, at + 1))
      if (mayRefuseFromStart(rule, command.slice(at))) return rule.source;
  }
  return undefined;
}

function no(why: string): Verdict {
  return { may: false, why };
}
