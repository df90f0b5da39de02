/** One running `tokenix mcp` that a test talks to, as an agent would: requests in, the answer to each by its id. */
import { BINARY, type Sandbox } from "./sandbox.ts";

export interface McpMessage {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

export class McpSession {
  private readonly child: Bun.Subprocess<"pipe", "pipe", "ignore">;
  private readonly waiting = new Map<number, (message: McpMessage) => void>();
  private last = 0;

  constructor(sandbox: Sandbox, options: { cwd?: string; env?: Record<string, string> } = {}) {
    this.child = Bun.spawn([BINARY, "mcp"], {
      cwd: options.cwd ?? sandbox.root,
      env: { ...sandbox.env, ...options.env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    void this.read();
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Its exit code, once it has ended. */
  get exited(): Promise<number> {
    return this.child.exited;
  }

  async ask(message: object): Promise<McpMessage> {
    const id = ++this.last;
    const answer = new Promise<McpMessage>((resolve) => this.waiting.set(id, resolve));
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
    await this.child.stdin.flush();
    return Promise.race([
      answer,
      this.child.exited.then((code) => {
        throw new Error(`the server ended with ${code}`);
      }),
    ]);
  }

  initialize(): Promise<McpMessage> {
    return this.ask(INITIALIZE);
  }

  callTool(name: string, args: object, meta?: object): Promise<McpMessage> {
    return this.ask({ method: "tools/call", params: { name, arguments: args, ...(meta ? { _meta: meta } : {}) } });
  }

  /** The text of a tool's answer. */
  async tool(name: string, args: object): Promise<string> {
    return textOf(await this.callTool(name, args));
  }

  /** Closes its input, which is its end. */
  async close(): Promise<number> {
    await this.child.stdin.end();
    return this.child.exited;
  }

  /** For tests that fail in the middle: no server outlives them. */
  [Symbol.dispose](): void {
    this.child.kill("SIGKILL");
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const part of this.child.stdout) {
      text += decoder.decode(part, { stream: true });
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        const message = JSON.parse(text.slice(0, end)) as McpMessage;
        text = text.slice(end + 1);
        if (message.id !== undefined) this.waiting.get(message.id)?.(message);
      }
    }
  }
}

export function textOf(message: McpMessage): string {
  return ((message.result?.["content"] as { text: string }[] | undefined) ?? []).map((one) => one.text).join("");
}
