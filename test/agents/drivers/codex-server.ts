/**
 * Codex through its app server: the door that editors use, where it asks a person before it runs something, and where
 * hooks can be listed and reviewed.
 */
import { spawn } from "node:child_process";
import { startModelServer } from "../model-server.ts";
import type { Sandbox } from "../sandbox.ts";
import { asList, asObject, asText } from "../wire/types.ts";
import type { Outcome, Session } from "./types.ts";

export interface ServerOptions {
  readonly sandboxMode: "read-only" | "workspace-write" | "danger-full-access";
  readonly approvalPolicy: "untrusted" | "on-request" | "never";
  /** Review the hooks as a person does in `/hooks`, before the first turn. */
  readonly reviewsHooks: boolean;
}

export function codexServer(options: ServerOptions): (binary: string, session: Session) => Promise<Outcome> {
  return (binary, session) => runCodexServer(binary, session, options);
}

async function runCodexServer(binary: string, session: Session, options: ServerOptions): Promise<Outcome> {
  const { sandbox } = session;
  const model = startModelServer(session.script);
  const asked: string[] = [];
  const client = connect(binary, sandbox, (method, params) => {
    if (!/requestApproval$/i.test(method)) return {};
    // The whole question, without what numbers it.
    const { threadId: _thread, turnId: _turn, itemId: _item, startedAtMs: _started, ...question } = params;
    asked.push(JSON.stringify({ method, ...question }));
    return { decision: session.answer === "allow" ? "accept" : "decline" };
  });
  try {
    await client.ask("initialize", { clientInfo: { name: "test", title: "test", version: "1" }, capabilities: null });
    client.tell("initialized");
    if (options.reviewsHooks) await reviewHooks(client, sandbox);
    const provider = {
      name: "scripted",
      base_url: `${model.url}/v1`,
      wire_api: "responses",
      requires_openai_auth: false,
    };
    const started = await client.ask("thread/start", {
      model: "scripted",
      modelProvider: "scripted",
      cwd: sandbox.project,
      approvalPolicy: options.approvalPolicy,
      sandbox: options.sandboxMode,
      config: { "model_providers.scripted": provider, model_provider: "scripted" },
    });
    const threadId = asText(asObject(started["thread"])["id"]);
    const finished = client.notified("turn/completed");
    await client.ask("turn/start", { threadId, input: [{ type: "text", text: "Go.", text_elements: [] }] });
    await finished;
    const { stderr } = client;
    return {
      code: 0,
      stdout: "",
      stderr,
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

export interface ListedHook {
  readonly key: string;
  readonly command: string;
  readonly hash: string;
  readonly trust: string;
}

/** The hooks as Codex sees them, with their state of trust. */
export async function listHooks(binary: string, sandbox: Sandbox): Promise<readonly ListedHook[]> {
  const client = connect(binary, sandbox, () => ({}));
  try {
    await client.ask("initialize", { clientInfo: { name: "test", title: "test", version: "1" }, capabilities: null });
    client.tell("initialized");
    return await hooksOf(client, sandbox);
  } finally {
    client.close();
  }
}

async function hooksOf(client: Client, sandbox: Sandbox): Promise<readonly ListedHook[]> {
  const answer = await client.ask("hooks/list", { cwds: [sandbox.project] });
  return asList(answer["data"]).flatMap((entry) =>
    asList(asObject(entry)["hooks"]).map((hook) => {
      const { key, command, currentHash, trustStatus } = asObject(hook);
      return { key: asText(key), command: asText(command), hash: asText(currentHash), trust: asText(trustStatus) };
    }),
  );
}

/** What the `/hooks` view writes when its user says yes. */
async function reviewHooks(client: Client, sandbox: Sandbox): Promise<void> {
  for (const { key, hash } of await hooksOf(client, sandbox)) {
    await client.ask("config/batchWrite", {
      edits: [{ keyPath: "hooks.state", value: { [key]: { trusted_hash: hash } }, mergeStrategy: "upsert" }],
      reloadUserConfig: true,
    });
  }
}

interface Client {
  readonly stderr: string;
  ask(method: string, params: object): Promise<Record<string, unknown>>;
  tell(method: string): void;
  notified(method: string): Promise<void>;
  close(): void;
}

function connect(
  binary: string,
  sandbox: Sandbox,
  answer: (method: string, params: Record<string, unknown>) => object,
): Client {
  const env = { ...sandbox.env, CODEX_HOME: `${sandbox.home}/.codex` };
  const child = spawn(binary, ["app-server"], { cwd: sandbox.project, env, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map<
    unknown,
    { resolve: (value: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  const listeners = new Map<string, () => void>();
  let [pending, stderr, lastId] = ["", "", 0];
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const timer = setTimeout(() => child.kill("SIGKILL"), 240_000);
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.on("close", () => {
    clearTimeout(timer);
    for (const { reject } of waiting.values()) reject(new Error(`the app server ended: ${stderr.slice(-1500)}`));
    for (const listener of listeners.values()) listener();
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (pending + text).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) receive(asObject(JSON.parse(line)));
  });
  function receive(message: Record<string, unknown>): void {
    const method = asText(message["method"]);
    if (method !== "" && message["id"] !== undefined) {
      send({ id: message["id"], result: answer(method, asObject(message["params"])) });
    } else if (method !== "") {
      listeners.get(method)?.();
    } else {
      const one = waiting.get(message["id"]);
      waiting.delete(message["id"]);
      if (message["error"] !== undefined) one?.reject(new Error(JSON.stringify(message["error"])));
      else one?.resolve(asObject(message["result"]));
    }
  }
  return {
    get stderr() {
      return stderr;
    },
    ask(method, params) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    tell: (method) => send({ method }),
    notified: (method) => new Promise((resolve) => listeners.set(method, resolve)),
    close: () => {
      clearTimeout(timer);
      child.kill("SIGKILL");
    },
  };
}
