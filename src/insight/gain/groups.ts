/** The account cut by command, project, tool or day. */
import { type Account, account, repeatsIn } from "./account.ts";
import type { Entry } from "./entries.ts";

export const GROUPINGS = ["command", "project", "tool", "day"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Group {
  readonly name: string;
  readonly account: Account;
}

/** Days in order of time, everything else by what it saved. */
export function grouped(entries: readonly Entry[], by: Grouping): readonly Group[] {
  const repeats = repeatsIn(entries);
  const parts = new Map<string, Entry[]>();
  for (const entry of entries) {
    const name = nameOf(entry, by);
    const part = parts.get(name);
    if (part) part.push(entry);
    else parts.set(name, [entry]);
  }
  const groups = [...parts].map(([name, part]) => ({ name, account: account(part, repeats) }));
  return by === "day"
    ? groups.sort((a, b) => (a.name < b.name ? -1 : 1))
    : groups.sort((a, b) => b.account.savedTokens - a.account.savedTokens || (a.name < b.name ? -1 : 1));
}

function nameOf(entry: Entry, by: Grouping): string {
  switch (by) {
    case "project":
      return entry.project;
    case "tool":
      return entry.tool;
    case "day":
      return entry.at.slice(0, 10);
    case "command":
      return entry.tool === "shell" ? commandName(entry.subject) : entry.tool;
  }
}

/** Program and sub-command, behind assignments and wrappers that say nothing of themselves. */
export function commandName(subject: string): string {
  // A script in quotes is the shell's argument: what stands in it is not the program that was run.
  const shell =
    /^\s*(?:cd\s+\S+\s*(?:&&|;)\s*)?(?:\S*[\\/])?(sh|bash|zsh|dash|ksh|fish|pwsh|powershell)(?:\.exe)?\s+(-\w*c)\b/i.exec(
      subject,
    );
  if (shell) return `${(shell[1] ?? "").toLowerCase()} ${shell[2]}`;
  const last = subject.split(/&&|\|\||;|\n/).findLast((part) => part.trim() !== "") ?? subject;
  const words = last.trim().split(/\s+/);
  let at = 0;
  while (/^(?:[A-Za-z_]\w*=.*|sudo|time|nohup|command|env|exec)$/.test(words[at] ?? "")) at++;
  const program = (words[at] ?? "").replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd|bat)$/i, "");
  const verb = words[at + 1] ?? "";
  return /^[a-z][\w:-]*$/.test(verb) ? `${program} ${verb}` : program || "(empty)";
}
