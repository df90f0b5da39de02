/** Every integration by its name. */
import type { Integration } from "../change.ts";
import type { InstallContext } from "../context.ts";
import type { ToolName } from "../tools.ts";
import { antigravity } from "./antigravity.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilot, vscode } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { mcp } from "./mcp.ts";
import { opencode } from "./opencode.ts";

export function integrationFor(
  tool: ToolName,
  context: InstallContext,
  options: { readonly everywhere: boolean } = { everywhere: false },
): Integration {
  switch (tool) {
    case "claude-code":
      return claudeCode(context);
    case "codex":
      return codex(context, options);
    case "copilot":
      return copilot(context);
    case "vscode":
      return vscode(context);
    case "antigravity":
      return antigravity(context);
    case "gemini":
      return gemini(context);
    case "opencode":
      return opencode(context, options);
    case "cursor":
      return cursor(context);
    case "mcp":
      return mcp(context, options);
  }
}
