/** What a repository's file would have tokenix do, in a few lines for the person who is asked to trust it. */
import { join } from "node:path";
import { messageOf } from "../../platform/errors.ts";
import { readTextIfPresent } from "../../platform/files.ts";
import { unprovenPatterns } from "./proven.ts";
import { parseFilterToml } from "./toml.ts";

const MOST_LINES = 12;

export async function describeInput(root: string, path: string): Promise<string[]> {
  const text = readTextIfPresent(join(root, path), 1024 * 1024);
  if (text === undefined) return ["can't be read"];
  const lines = path.startsWith(".tokenix/filters/") ? describeFilters(text) : await describeOther(path, text);
  // A clone's own text is shown to a terminal: nothing of it may steer that terminal.
  const safe = lines.map((line) => line.replace(/[\x00-\x1f\x7f-\x9f]/g, "?").slice(0, 160));
  return safe.length > MOST_LINES ? [...safe.slice(0, MOST_LINES), `… ${safe.length - MOST_LINES} more`] : safe;
}

function describeFilters(text: string): string[] {
  const file = parseFilterToml(text);
  return [
    ...file.problems,
    ...file.filters.flatMap((filter) => [
      `shrinks the output of /${filter.match_command}/`,
      ...filter.match_output.map(
        ({ pattern, message }) => `replaces all of it by '${message}' when it has /${pattern}/`,
      ),
      ...filter.strip_lines_matching.map((pattern) => `drops lines like /${pattern}/`),
      ...unprovenPatterns(filter).map(({ pattern }) => `/${pattern}/ may run long: it gets a time budget`),
    ]),
  ];
}

async function describeOther(path: string, text: string): Promise<string[]> {
  if (path.endsWith(".toml")) {
    const { parse } = await import("smol-toml");
    try {
      const rules = (parse(text) as { rules?: { id?: unknown; pattern?: unknown }[] }).rules ?? [];
      return rules.map((rule) => `adds rule ${String(rule.id)}: /${String(rule.pattern)}/`);
    } catch (error) {
      return [`not TOML: ${messageOf(error)}`];
    }
  }
  try {
    const value = JSON.parse(text.replace(/^\s*\/\/.*$/gm, "")) as Record<string, Record<string, unknown> | undefined>;
    const servers = value["mcpServers"] ?? value["servers"] ?? value["mcp"] ?? {};
    return Object.entries(servers).map(([name, server]) => {
      const { command, args, url } = (server ?? {}) as { command?: unknown; args?: unknown; url?: unknown };
      return `MCP server ${name}: ${url ? String(url) : [command, args].flat().filter(Boolean).join(" ")}`;
    });
  } catch (error) {
    return [`not JSON: ${messageOf(error)}`];
  }
}
