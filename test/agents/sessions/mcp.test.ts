/** The MCP server in each agent's own list, as the agent itself reads it, and gone again after removal. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claudeEnv } from "../drivers/claude.ts";
import { talk } from "../drivers/process.ts";
import { type AgentName, agentBinary, cacheFolder } from "../packages.ts";
import { makeSandbox, type Sandbox } from "../sandbox.ts";
import { isReady, tokenixBinary } from "../scene.ts";

const nowhere = "http://127.0.0.1:9";

/** What makes each agent list its servers, without an account and without a network. */
const lists: Record<
  AgentName,
  { readonly folder: string; readonly env: (sandbox: Sandbox) => Record<string, string> }
> = {
  claude: { folder: ".claude", env: () => claudeEnv(nowhere) },
  codex: { folder: ".codex", env: ({ home }) => ({ CODEX_HOME: join(home, ".codex") }) },
  copilot: {
    folder: ".copilot",
    env: () => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: nowhere,
      COPILOT_PKG_CACHE_HOME: join(cacheFolder(), "copilot-unpacked"),
    }),
  },
  gemini: { folder: ".gemini", env: () => ({ GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" }) },
  opencode: {
    folder: ".config/opencode",
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
  },
};

describe("the MCP server", () => {
  for (const agent of Object.keys(lists) as AgentName[]) {
    test.skipIf(!isReady(agent))(`is in ${agent}'s list, and not after its removal`, async () => {
      const sandbox = makeSandbox();
      try {
        mkdirSync(join(sandbox.home, lists[agent].folder), { recursive: true });
        if (agent === "gemini") sandbox.write("home/.gemini/settings.json", "{}");
        symlinkSync(tokenixBinary(), join(sandbox.bin, "tokenix"));
        await run(sandbox, ["tokenix", "install-hook", "--tool", "mcp"]);
        expect(await listed(agent, sandbox)).toContain("tokenix");
        await run(sandbox, ["tokenix", "remove-hook", "--tool", "mcp"]);
        expect(await listed(agent, sandbox)).not.toContain("tokenix");
      } finally {
        sandbox.remove();
      }
    });
  }
});

async function listed(agent: AgentName, sandbox: Sandbox): Promise<string> {
  const program = agentBinary(agent) ?? "";
  const command = [...(agent === "gemini" ? ["node"] : []), program, "mcp", "list"];
  const { stdout, stderr } = await run(sandbox, command, lists[agent].env(sandbox));
  return (stdout + stderr).replaceAll(sandbox.env["TOKENIX_HOME"] ?? "", "");
}

function run(sandbox: Sandbox, command: readonly string[], env: Record<string, string> = {}) {
  return talk({ command, cwd: sandbox.project, env: { ...sandbox.env, ...env }, timeoutMs: 90_000 });
}
