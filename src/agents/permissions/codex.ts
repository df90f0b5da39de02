/**
 * May a command of Codex be rewritten? Its `allow` grants nothing: sandbox and approval run all the same, on
 * the rewritten words, and where it asks, its question shows them. So the words must not matter and nobody may be
 * asked: no rule file speaks of a program in the line, the program is none that Codex judges by name, and the mode
 * asks nothing, or the session's own record says that this very call runs in its sandbox without a question.
 */
import { wordList } from "../../output/shell/word-list.ts";
import type { RecordedCall } from "../codex-record.ts";
import { type Env, gitRootOf, hasBytes, homeOf, joined, namesIn, smallText } from "../places.ts";
import type { Verdict } from "./claude.ts";
import { programs, type RuleLine } from "./command.ts";

export interface CodexRequest {
  readonly line: RuleLine;
  readonly mode: string | undefined;
  /** Asked for only where the mode leaves it open. */
  readonly recorded: () => Promise<RecordedCall | undefined>;
  readonly cwd: string | undefined;
  readonly env: Env;
  /** By default the system's own place. */
  readonly systemDir?: string;
}

const MAX_RULES_BYTES = 512 * 1024;

/** Run unasked by Codex in every mode; wrapped, they would be asked for. */
const HARMLESS = wordList(
  "cat cd cut echo expr false find git grep head id ls nl paste pwd rev rg sed seq stat tail tr true uname uniq wc " +
    "which whoami base64 numfmt tac sort fd tree file du df env date basename dirname realpath readlink diff cmp jq",
);

const WRAPPERS = wordList("sudo doas env timeout time nice nohup stdbuf xargs bash sh zsh dash command exec npx");

/** Refused, or asked about, in every mode, also behind wrappers and inside quotes (measured on 0.171.0: `rm -f`). */
const DANGEROUS = /(?<![\w-])rm(?![\w-])/;

/** What the model may say with a command without asking for more than the sandbox gives. */
const PLAIN_KEYS = wordList(
  "cmd command workdir cwd shell login tty yield_time_ms max_output_tokens timeout timeout_ms environment_id",
);

export async function judgeCodex(request: CodexRequest): Promise<Verdict> {
  const names = programs(request.line);
  if (names.length === 0) return { may: false, why: "no command" };
  const rule = await ruleAbout(request);
  if (rule !== undefined) return { may: false, why: rule };
  if (DANGEROUS.test(request.line.source)) return { may: false, why: "Codex judges 'rm' by its name in every mode" };
  if (request.mode === "bypassPermissions") return { may: true, why: "the session asks nothing" };
  const harmless = names.find((name) => HARMLESS.has(name));
  if (harmless !== undefined)
    return { may: false, why: `Codex may run '${harmless}' unasked, and would ask for it wrapped` };
  const question = whyAsked(await request.recorded());
  return question === undefined
    ? { may: true, why: "it runs in the sandbox without a question, and no rule speaks of it" }
    : { may: false, why: question };
}

/** Why a person may be asked about this call, or undefined when surely none is. */
function whyAsked(recorded: RecordedCall | undefined): string | undefined {
  if (recorded === undefined) return "the session's record does not say whether Codex asks about it";
  if (recorded.approvalPolicy !== "on-request")
    return `Codex may ask about it (approval_policy ${recorded.approvalPolicy ?? "of several parts"})`;
  for (const [key, value] of Object.entries(recorded.input)) {
    if (PLAIN_KEYS.has(key) || (key === "sandbox_permissions" && value === "use_default")) continue;
    if (value !== null && value !== false) return `Codex asks about a command with ${key}`;
  }
  return undefined;
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
  // What an organisation requires, on this machine or fetched, may hold rules too.
  const system = request.systemDir ?? "/etc/codex";
  const files = [
    joined(system, "requirements.toml"),
    joined(system, "managed_config.toml"),
    joined(home, "managed_config.toml"),
    joined(home, "cloud-config-bundle-cache.json"),
    joined(home, "cloud-requirements-cache.json"),
  ].filter(hasBytes);
  files.push(...dirs.flatMap((dir) => namesIn(dir).map((name) => joined(dir, name))));
  for (const path of files) {
    const text = await smallText(path, MAX_RULES_BYTES);
    if (text === undefined) return `${path} can't be read`;
    // A comment's words count too: too careful is the right side.
    for (const match of text.matchAll(/["']([^"'\n]{1,200})["']/g))
      if (words.has(match[1] ?? "")) return `${path} has a rule about '${match[1]}'`;
  }
  return undefined;
}
