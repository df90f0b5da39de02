/** Gemini CLI without a terminal, its API moved to loopback. */
import { startModelServer } from "../model-server.ts";
import { talk } from "./process.ts";
import type { Outcome, Session } from "./types.ts";

export async function runGemini(binary: string, session: Session): Promise<Outcome> {
  const { sandbox, script } = session;
  const server = startModelServer(script);
  try {
    const ended = await talk({
      command: ["node", binary, "-m", "gemini-2.5-flash", "-o", "json", ...(session.args ?? []), "-p", "Go."],
      cwd: sandbox.project,
      env: { ...sandbox.env, ...geminiEnv(server.url), ...session.env },
      timeoutMs: session.timeoutMs ?? 200_000,
    });
    return { ...ended, results: server.results, asked: [], toolNames: server.toolNames, requests: server.requests };
  } finally {
    server.stop();
  }
}

export function geminiEnv(url: string): Record<string, string> {
  return {
    GEMINI_API_KEY: "scripted",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_TRUST_WORKSPACE: "true",
    GEMINI_TELEMETRY_ENABLED: "false",
    GEMINI_CLI_NO_RELAUNCH: "true",
  };
}
