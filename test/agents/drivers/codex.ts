/** Codex in `exec` mode with a provider of its own on loopback. */
import { startModelServer } from "../model-server.ts";
import { talk } from "./process.ts";
import type { Outcome, Session } from "./types.ts";

export async function runCodex(binary: string, session: Session): Promise<Outcome> {
  const { sandbox, script } = session;
  const server = startModelServer(script);
  const provider = `{ name = "scripted", base_url = "${server.url}/v1", wire_api = "responses", requires_openai_auth = false }`;
  try {
    const ended = await talk({
      command: [
        ...(session.behind ?? []),
        binary,
        "exec",
        "--skip-git-repo-check",
        "--json",
        "-c",
        `model_providers.scripted=${provider}`,
        "-c",
        'model_provider="scripted"',
        "-c",
        'model="scripted"',
        "-c",
        "check_for_update_on_startup=false",
        "-c",
        "analytics.enabled=false",
        ...(session.args ?? []),
        "Go.",
      ],
      cwd: sandbox.project,
      env: { ...sandbox.env, CODEX_HOME: `${sandbox.home}/.codex`, ...session.env },
      timeoutMs: session.timeoutMs ?? 200_000,
    });
    return { ...ended, results: server.results, asked: [], toolNames: server.toolNames, requests: server.requests };
  } finally {
    server.stop();
  }
}
