/** OpenCode in `run` mode: its openai-compatible provider on loopback. */
import { startModelServer } from "../model-server.ts";
import type { Sandbox } from "../sandbox.ts";
import { talk } from "./process.ts";
import type { Outcome, Session } from "./types.ts";

export async function runOpencode(binary: string, session: Session): Promise<Outcome> {
  const { sandbox, script } = session;
  const server = startModelServer(script);
  settleOpencode(sandbox);
  try {
    const ended = await talk({
      command: [binary, "run", "--format", "json", ...(session.args ?? []), "Go."],
      cwd: sandbox.project,
      env: { ...sandbox.env, ...opencodeEnv(server.url), ...session.env },
      timeoutMs: session.timeoutMs ?? 200_000,
    });
    return { ...ended, results: server.results, asked: [], toolNames: server.toolNames, requests: server.requests };
  } finally {
    server.stop();
  }
}

export function opencodeEnv(url: string): Record<string, string> {
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    name: "scripted",
    options: { baseURL: `${url}/v1`, apiKey: "scripted" },
    models: { scripted: { name: "scripted", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
  };
  const config = {
    provider: { scripted: provider },
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    autoupdate: false,
    share: "disabled",
  };
  return {
    // Merged over the files, so that the settings under test stay as they are.
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  };
}

/** Where this lock file stands, OpenCode takes its plugin package for installed and asks no registry. */
export function settleOpencode(sandbox: Sandbox): void {
  for (const folder of ["home/.config/opencode", "project/.opencode"]) {
    const packages = { "": { dependencies: { "@opencode-ai/plugin": "*" } } };
    sandbox.write(`${folder}/package-lock.json`, JSON.stringify({ lockfileVersion: 3, packages }));
    sandbox.write(`${folder}/node_modules/.package-lock.json`, "{}");
  }
}
