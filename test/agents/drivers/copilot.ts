/** Copilot CLI without an account: offline mode with a model provider of one's own on loopback. */
import { join } from "node:path";
import { startModelServer } from "../model-server.ts";
import { cacheFolder } from "../packages.ts";
import { talk } from "./process.ts";
import type { Outcome, Session } from "./types.ts";

export async function runCopilot(binary: string, session: Session): Promise<Outcome> {
  const { sandbox, script } = session;
  const server = startModelServer(script);
  try {
    const ended = await talk({
      command: [binary, "--no-auto-update", "--no-color", ...(session.args ?? []), "-p", "Go."],
      cwd: sandbox.project,
      env: { ...sandbox.env, ...copilotEnv(server.url), ...session.env },
      timeoutMs: session.timeoutMs ?? 200_000,
    });
    return { ...ended, results: server.results, asked: [], toolNames: server.toolNames, requests: server.requests };
  } finally {
    server.stop();
  }
}

export function copilotEnv(url: string): Record<string, string> {
  return {
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "scripted",
    COPILOT_MODEL: "gpt-4.1",
    COPILOT_AUTO_UPDATE: "false",
    // It unpacks 235 MB of its own for each new home: once is enough.
    COPILOT_PKG_CACHE_HOME: join(cacheFolder(), "copilot-unpacked"),
  };
}
