/** The closed list of what `install-hook --tool` takes. */
import { UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";

export const TOOLS = [
  "claude-code",
  "codex",
  "copilot",
  "vscode",
  "antigravity",
  "gemini",
  "opencode",
  "cursor",
  "mcp",
] as const;

export type ToolName = (typeof TOOLS)[number];

const ALIASES: Readonly<Record<string, ToolName>> = {
  claude: "claude-code",
  agy: "antigravity",
  "gemini-cli": "gemini",
  "copilot-cli": "copilot",
  "vscode-copilot": "vscode",
};

/** `all`, one name, or several with commas. @throws UserError for a name that is none */
export function parseTools(given: string): readonly ToolName[] {
  const names = given
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  if (names.length === 0) throw new UserError("--tool needs a name", `one of ${TOOLS.join(", ")}, all`, 2);
  if (names.includes("all")) return TOOLS;
  return [...new Set(names.map(toolNamed))];
}

function toolNamed(name: string): ToolName {
  const found = TOOLS.find((tool) => tool === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);
  if (found !== undefined) return found;
  const near = nearest(name, [...TOOLS, "all"]);
  const hint = near === undefined ? `one of ${TOOLS.join(", ")}, all` : `did you mean ${near}?`;
  throw new UserError(`unknown tool ${JSON.stringify(name)}`, hint, 2);
}
