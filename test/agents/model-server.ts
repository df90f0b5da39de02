/**
 * A scripted model on loopback: it answers each request of a real agent with the next step of a script,
 * and keeps what the agent sent. Never leaves 127.0.0.1, needs no key, and stops by itself.
 */
import { anthropicWire } from "./wire/anthropic.ts";
import { chatWire } from "./wire/chat.ts";
import { geminiWire } from "./wire/gemini.ts";
import { responsesWire } from "./wire/responses.ts";
import type { ShownResult, Step, Turn } from "./wire/types.ts";

const wires = [anthropicWire, responsesWire, chatWire, geminiWire];
const lastWord: Step = { text: "Done." };

export interface ModelServer {
  readonly url: string;
  readonly port: number;
  /** Every tool result of the conversation so far, in the order of the calls. */
  readonly results: readonly ShownResult[];
  /** The tools that the agent offered at its last main request. */
  readonly toolNames: readonly string[];
  /** Every request, also the ones that no wire took: for finding out what an agent asks for. */
  readonly requests: readonly { readonly method: string; readonly path: string; readonly body: unknown }[];
  stop(): void;
}

export interface ServerOptions {
  /** The server ends by itself after this long, whatever became of the agent. */
  readonly lifetimeMs?: number;
}

export function startModelServer(script: readonly Step[], options: ServerOptions = {}): ModelServer {
  const requests: { method: string; path: string; body: unknown }[] = [];
  let last: Turn | undefined;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      const body = await request.json().catch(() => undefined);
      requests.push({ method: request.method, path, body });
      const wire = request.method === "POST" ? wires.find((one) => one.accepts(path)) : undefined;
      if (wire === undefined) return sideDoor(path);
      const turn = wire.read(body);
      if (!turn.isMain) return wire.answer({ text: "ok" }, 0, body, path);
      last = turn;
      // The number of answered calls says where the script stands: a request sent twice gets the same answer twice.
      return wire.answer(stepAfter(script, turn.results.length), turn.results.length, body, path);
    },
  });
  const timer = setTimeout(() => server.stop(true), options.lifetimeMs ?? 240_000);
  timer.unref();
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port ?? 0,
    get results() {
      return last?.results ?? [];
    },
    get toolNames() {
      return last?.toolNames ?? [];
    },
    requests,
    stop() {
      clearTimeout(timer);
      server.stop(true);
    },
  };
}

function stepAfter(script: readonly Step[], answered: number): Step {
  let calls = 0;
  for (const step of script) {
    if (calls >= answered) return step;
    calls += "together" in step ? step.together.length : "tool" in step ? 1 : 0;
  }
  return lastWord;
}

function sideDoor(path: string): Response {
  if (path.endsWith("/count_tokens") || path.endsWith(":countTokens")) {
    return Response.json({ input_tokens: 10, totalTokens: 10 });
  }
  if (path.endsWith("/models")) return Response.json({ object: "list", data: [], models: [] });
  return new Response("{}", { status: 404, headers: { "content-type": "application/json" } });
}
