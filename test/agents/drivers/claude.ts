/** Claude Code over its stream protocol: the same door an editor uses, so permission prompts arrive as messages. */
import { startModelServer } from "../model-server.ts";
import type { Sandbox } from "../sandbox.ts";
import { asObject } from "../wire/types.ts";
import { talk } from "./process.ts";
import type { Outcome, Session } from "./types.ts";

export async function runClaude(binary: string, session: Session): Promise<Outcome> {
  const { sandbox, script } = session;
  const server = startModelServer(script);
  const asked: string[] = [];
  const known = { hasCompletedOnboarding: true, numStartups: 1, projects: {}, ...knownBefore(sandbox) };
  sandbox.write("home/.claude.json", JSON.stringify(known));
  try {
    const ended = await talk({
      command: [
        ...(session.behind ?? []),
        binary,
        "-p",
        "--input-format",
        "stream-json",
        "--output-format",
        "stream-json",
        "--verbose",
        // Without a person to ask, the agent refuses by itself what it would have asked for.
        ...(session.answer === undefined ? [] : ["--permission-prompt-tool", "stdio"]),
        "--model",
        "claude-sonnet-4-5",
        ...(session.args ?? []),
      ],
      cwd: sandbox.project,
      env: { ...sandbox.env, ...claudeEnv(server.url), ...session.env },
      timeoutMs: session.timeoutMs ?? 200_000,
      input: `${JSON.stringify({ type: "user", message: { role: "user", content: "Go." }, parent_tool_use_id: null, session_id: "" })}\n`,
      onLine(line, say, hangUp) {
        const message = parse(line);
        if (message["type"] === "result") return hangUp();
        const request = asObject(message["request"]);
        if (message["type"] !== "control_request" || request["subtype"] !== "can_use_tool") return;
        const input = asObject(request["input"]);
        asked.push(JSON.stringify(request));
        const verdict =
          session.answer === "allow"
            ? { behavior: "allow", updatedInput: input }
            : { behavior: "deny", message: "The person said no." };
        const response = { subtype: "success", request_id: message["request_id"], response: verdict };
        say(`${JSON.stringify({ type: "control_response", response })}\n`);
      },
    });
    return { ...ended, results: server.results, asked, toolNames: server.toolNames, requests: server.requests };
  } finally {
    server.stop();
  }
}

export function claudeEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_BUG_COMMAND: "1",
    // A container's root may use the mode that asks nothing only with this mark.
    IS_SANDBOX: "1",
  };
}

/** What a scene has put there: folders that are trusted. */
function knownBefore(sandbox: Sandbox): Record<string, unknown> {
  try {
    return parse(sandbox.read("home/.claude.json"));
  } catch {
    return {};
  }
}

function parse(line: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return {};
  }
}
