/** Help texts, all read from the catalog and the commands' own `args`. */
import type { ArgDef, ArgsDef, CommandDef } from "citty";
import { VERSION } from "../platform/version.ts";
import type { Audience, CommandEntry } from "./catalog/types.ts";

const HEADINGS: Readonly<Record<Audience, string>> = {
  agent: "For agents (and scripts)",
  person: "For people",
};

/** What a bare `tokenix` prints: the commands in two groups, with examples. */
export function overview(catalog: readonly CommandEntry[]): string {
  const shown = catalog.filter((entry) => !entry.hidden);
  const width = Math.max(0, ...shown.map((entry) => entry.name.length)) + 2;
  const lines = [
    `tokenix ${VERSION}: knows the repository, shrinks what commands print, shows what it saved`,
    "",
    "Start here:",
    "  tokenix index                      read this repository (local, offline)",
    '  tokenix query "where do we retry"  ask it',
    "  tokenix install-hook --tool all    meet your agents",
    "",
  ];
  for (const audience of ["agent", "person"] as const) {
    lines.push(`${HEADINGS[audience]}:`);
    for (const entry of shown.filter((one) => one.audience === audience))
      lines.push(`  ${entry.name.padEnd(width)}${entry.summary}`);
    lines.push("");
  }
  lines.push("'tokenix help COMMAND' or 'tokenix COMMAND --help' shows flags and examples.", "");
  return lines.join("\n");
}

export async function commandHelp(
  entry: CommandEntry,
  command: CommandDef<ArgsDef>,
  path: readonly string[],
  definitions: ArgsDef,
): Promise<string> {
  const meta = typeof command.meta === "function" ? await command.meta() : await command.meta;
  const positionals = Object.entries(definitions).filter(([, one]) => one.type === "positional");
  const flags = Object.entries(definitions).filter(([, one]) => one.type !== "positional");
  const usage = positionals.map(([name, one]) =>
    one.required === false ? `[${name.toUpperCase()}]` : name.toUpperCase(),
  );
  const lines = [
    `${meta?.description ?? entry.summary}`,
    "",
    `  tokenix ${[...path, ...usage].join(" ")}${flags.length ? " [flags]" : ""}`,
    "",
  ];
  const subCommands =
    typeof command.subCommands === "function" ? await command.subCommands() : await command.subCommands;
  if (subCommands) lines.push(`Sub-commands: ${Object.keys(subCommands).join(", ")}`, "");
  const rows = [
    ...positionals.map(([name, one]) => [name.toUpperCase(), one.description ?? ""] as const),
    ...flags.map(([name, one]) => [flagForm(name, one), flagText(one)] as const),
  ];
  const width = Math.max(0, ...rows.map(([left]) => left.length)) + 2;
  for (const [left, right] of rows) lines.push(`  ${left.padEnd(width)}${right}`.trimEnd());
  if (rows.length) lines.push("");
  const examples = entry.examples.filter((one) => one.includes(path.join(" ")));
  if (examples.length) lines.push("Examples:", ...examples.map((one) => `  ${one}`), "");
  return lines.join("\n");
}

function flagForm(name: string, definition: ArgDef): string {
  const aliases = [("alias" in definition && definition.alias) || []]
    .flat()
    .map((one) => (one.length === 1 ? `-${one}` : `--${one}`));
  const value = definition.type === "boolean" ? "" : ` ${definition.valueHint ?? "VALUE"}`;
  return [...aliases, `--${name}${value}`].join(", ");
}

function flagText(definition: ArgDef): string {
  const fallback = "default" in definition && definition.default !== undefined && definition.default !== false;
  return `${definition.description ?? ""}${fallback ? ` (${String(definition.default)})` : ""}`;
}
