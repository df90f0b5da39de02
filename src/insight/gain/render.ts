/** The gain report for a person: the saving, out of how much, and what was fetched back. */
import type { Account } from "./account.ts";
import { CAUTION } from "./money.ts";
import type { GainReport } from "./report.ts";

export function renderGain(report: GainReport, scope: string): string {
  const { total } = report;
  if (report.from === undefined)
    return `No calls logged for ${scope} yet. An agent's hook or 'tokenix run' writes the log.\n`;
  const lines = [
    `Savings for ${scope}, ${report.from.slice(0, 10)} to ${(report.to ?? report.from).slice(0, 10)} (estimated tokens)`,
    "",
    `  saved      ${tokens(total.savedTokens)} of ${tokens(total.rawTokens)}${share(total)}`,
    `  calls      ${total.calls} measured, ${total.shortened} shortened, ${total.calls - total.shortened} saved nothing`,
    `  taken off  ${tokens(total.fetchedTokens)} fetched again (${total.fetches}), ${tokens(total.repeatedTokens)} asked again (${total.repeats})`,
  ];
  if (total.neutral > 0)
    lines.push(`  answered   ${total.neutral} searches from the index or with a limit; no saving is claimed`);
  if (total.bypassed > 0) lines.push(`  bypassed   ${total.bypassed} by the user's own word`);
  if (total.errors > 0) lines.push(`  faults     ${total.errors} of ours, passed through`);
  const { sessions } = report;
  lines.push(
    `  sessions   ${sessions.sessions}, ${sessions.meanCalls.toFixed(1)} logged calls each, ` +
      `${percent(sessions.askedAgainShare)} asked the same again (a description, not an effect)`,
  );
  if (report.groups) lines.push("", ...groupLines(report));
  if (report.history) lines.push("", ...historyLines(report));
  if (report.costEstimate) {
    lines.push("", "If every saved token had been fresh input once:");
    for (const one of report.costEstimate) lines.push(`  ${one.model.padEnd(20)} ${money(one.asInput)}`);
  }
  if (report.economics) {
    const reads = report.economics[0]?.readsAssumed ?? 0;
    lines.push("", `With prompt caching, never read again to read ${reads} times:`);
    for (const one of report.economics)
      lines.push(`  ${one.model.padEnd(20)} ${money(one.leastDollars)} to ${money(one.mostDollars)}`);
  }
  if (report.costEstimate || report.economics) lines.push("", CAUTION);
  if (report.badLines > 0) lines.push("", `${report.badLines} lines of the log could not be read and are not counted.`);
  return `${lines.join("\n")}\n`;
}

function groupLines(report: GainReport): string[] {
  const groups = report.groups ?? [];
  const width = Math.min(48, Math.max(8, ...groups.map(({ name }) => name.length)));
  const lines = groups.map(({ name, account }) => {
    const shown = name.length > width ? `${name.slice(0, width - 1)}…` : name.padEnd(width);
    return `  ${shown}  ${tokens(account.savedTokens).padStart(8)} of ${tokens(account.rawTokens).padStart(8)}${share(account).padStart(8)}  ${account.calls} calls`;
  });
  if (report.groupsLeftOut) lines.push(`  … ${report.groupsLeftOut} more (--limit)`);
  return lines;
}

function historyLines(report: GainReport): string[] {
  return (report.history ?? []).map((line) => {
    const subject = line.subject.replace(/\s+/g, " ");
    const shown = subject.length > 60 ? `${subject.slice(0, 59)}…` : subject;
    return `  ${line.at.slice(0, 19)}  ${line.action.padEnd(11)} ${line.tool.padEnd(5)} ${tokens(line.rawTokens).padStart(7)} → ${tokens(line.shownTokens).padEnd(7)} ${(line.by ?? "").padEnd(14)} ${shown}`;
  });
}

function share(account: Account): string {
  return account.savedShare === undefined ? "" : ` (${percent(account.savedShare)})`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

export function tokens(count: number): string {
  const size = Math.abs(count);
  if (size >= 10_000_000) return `${(count / 1_000_000).toFixed(1)}M`;
  if (size >= 10_000) return `${(count / 1000).toFixed(1)}k`;
  return String(Math.round(count));
}

function money(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}
