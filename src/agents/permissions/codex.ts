/**
 * May a command of Codex be rewritten? Its `allow` grants nothing: sandbox and approval run all the same, on
 * the rewritten words. So the words must not matter: no rule file speaks of a program in the line, and outside
 * the mode that asks nothing the program is not one that Codex itself takes as harmless.
 */
import { type Env, gitRootOf, homeOf, joined, namesIn, smallText } from "../places.ts";
import type { Verdict } from "./claude.ts";
import { programs, type RuleLine } from "./command.ts";

export interface CodexRequest {
  readonly line: RuleLine;
  readonly mode: string | undefined;
  readonly cwd: string | undefined;
  readonly env: Env;
  /** By default the system's own place. */
  readonly systemDir?: string;
}

const MAX_RULES_BYTES = 512 * 1024;

/** Run unasked by Codex in every mode; wrapped, they would be asked for. */
const HARMLESS = new Set(
  (
    "cat cd cut echo expr false find git grep head id ls nl paste pwd rev rg sed seq stat tail tr true uname uniq wc " +
    "which whoami base64 numfmt tac sort fd tree file du df env date basename dirname realpath readlink diff cmp jq"
  ).split(" "),
);

const WRAPPERS = new Set(
  "sudo doas env timeout time nice nohup stdbuf xargs bash sh zsh dash command exec npx".split(" "),
);

export async function judgeCodex(request: CodexRequest): Promise<Verdict> {
  const names = programs(request.line);
  if (names.length === 0) return { may: false, why: "no command" };
  const rule = await ruleAbout(request);
  if (rule !== undefined) return { may: false, why: rule };
  if (request.mode === "bypassPermissions") return { may: true, why: "the session asks nothing" };
  const harmless = names.find((name) => HARMLESS.has(name));
  if (harmless !== undefined)
    return { may: false, why: `Codex may run '${harmless}' unasked, and would ask for it wrapped` };
  return { may: true, why: "Codex judges the rewritten command as it would the original, and no rule speaks of it" };
}

async function ruleAbout(request: CodexRequest): Promise<string | undefined> {
  const home = request.env["CODEX_HOME"] || joined(await homeOf(request.env), ".codex");
  const dirs = [joined(home, "rules"), joined(request.systemDir ?? "/etc/codex", "rules")];
  for (const start of new Set([request.cwd, request.cwd && gitRootOf(request.cwd)]))
    if (start) dirs.push(joined(start, ".codex", "rules"));
  const names = programs(request.line);
  // Behind a wrapper any word may be the program that a rule means.
  const words = new Set(
    names.some((name) => WRAPPERS.has(name))
      ? [...names, ...request.line.segments.flatMap((segment) => segment.words.map((word) => word.text))]
      : names,
  );
  for (const dir of dirs) {
    for (const name of namesIn(dir)) {
      const path = joined(dir, name);
      const text = await smallText(path, MAX_RULES_BYTES);
      if (text === undefined) return `${path} can't be read`;
      // A comment's words count too: too careful is the right side.
      for (const match of text.matchAll(/["']([^"'\n]{1,200})["']/g))
        if (words.has(match[1] ?? "")) return `${path} has a rule about '${match[1]}'`;
    }
  }
  return undefined;
}
