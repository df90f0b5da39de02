/**
 * Copilot CLI, Gemini CLI and OpenCode over the Agent Client Protocol: the door that editors use, where a permission
 * question arrives as a message. What a person would be shown is kept whole.
 */
import { spawn } from "node:child_process";
import { startModelServer } from "../model-server.ts";
import type { Sandbox } from "../sandbox.ts";
import { asList, asObject, asText } from "../wire/types.ts";
import { copilotEnv } from "./copilot.ts";
import { geminiEnv } from "./gemini.ts";
import { opencodeEnv, settleOpencode } from "./opencode.ts";
import type { Outcome, Session } from "./types.ts";

type Named = "copilot" | "gemini" | "opencode";

interface Door {
  readonly command: (binary: string) => readonly string[];
  readonly env: (url: string) => Record<string, string>;
  readonly prepare?: (sandbox: Sandbox) => void;
  readonly signIn?: string;
}

const doors: Record<Named, Door> = {
  copilot: { command: (binary) => [binary, "--acp", "--no-auto-update"], env: copilotEnv },
  gemini: {
    command: (binary) => ["node", binary, "--acp", "-m", "gemini-2.5-flash"],
    env: geminiEnv,
    signIn: "gemini-api-key",
  },
  opencode: { command: (binary) => [binary, "acp"], env: opencodeEnv, prepare: settleOpencode },
};

export function acp(agent: Named): (binary: string, session: Session) => Promise<Outcome> {
  return (binary, session) => runAcp(doors[agent], binary, session);
}

async function runAcp(door: Door, binary: string, session: Session): Promise<Outcome> {
  const { sandbox } = session;
  const model = startModelServer(session.script);
  door.prepare?.(sandbox);
  const asked: string[] = [];
  const [file = "", ...args] = [...door.command(binary), ...(session.args ?? [])];
  const client = connect(
    file,
    args,
    sandbox.project,
    { ...sandbox.env, ...door.env(model.url), ...session.env },
    {
      timeoutMs: session.timeoutMs ?? 200_000,
      answer(method, params) {
        if (method !== "session/request_permission") return {};
        const { toolCall, options } = params;
        asked.push(JSON.stringify({ toolCall, options }));
        const wanted = session.answer === "allow" ? "allow_once" : "reject_once";
        const option = asList(options)
          .map(asObject)
          .find(({ kind }) => kind === wanted);
        return { outcome: { outcome: "selected", optionId: option?.["optionId"] } };
      },
    },
  );
  try {
    const fs = { readTextFile: false, writeTextFile: false };
    await client.ask("initialize", { protocolVersion: 1, clientCapabilities: { fs, terminal: false } });
    if (door.signIn !== undefined) await client.ask("authenticate", { methodId: door.signIn });
    const { sessionId } = await client.ask("session/new", { cwd: sandbox.project, mcpServers: [] });
    await client.ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "Go." }] });
    return {
      code: 0,
      stdout: "",
      stderr: client.stderr(),
      timedOut: false,
      results: model.results,
      asked,
      toolNames: model.toolNames,
      requests: model.requests,
    };
  } finally {
    client.close();
    model.stop();
  }
}

interface Client {
  ask(method: string, params: object): Promise<Record<string, unknown>>;
  stderr(): string;
  close(): void;
}

function connect(
  file: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  how: { timeoutMs: number; answer: (method: string, params: Record<string, unknown>) => object },
): Client {
  const child = spawn(file, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  const waiting = new Map<unknown, { resolve: (value: Record<string, unknown>) => void; reject: (e: Error) => void }>();
  let [pending, errors, lastId] = ["", "", 0];
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const kill = (): void => {
    clearTimeout(timer);
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended by itself in the meantime.
    }
  };
  const timer = setTimeout(kill, how.timeoutMs);
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error(`the agent ended: ${errors.slice(-1500)}`));
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) receive(line);
  });
  function receive(line: string): void {
    const message = parsed(line);
    const method = asText(message["method"]);
    const { id } = message;
    if (method !== "") {
      if (id !== undefined) send({ id, result: how.answer(method, asObject(message["params"])) });
      return;
    }
    const one = waiting.get(id);
    waiting.delete(id);
    if (message["error"] !== undefined) one?.reject(new Error(JSON.stringify(message["error"])));
    else one?.resolve(asObject(message["result"]));
  }
  return {
    ask(method, params) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    stderr: () => errors,
    close: kill,
  };
}

/** Some agents print a line of their own between the messages. */
function parsed(line: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return {};
  }
}
