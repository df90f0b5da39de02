/**
 * `tokenix mcp`: the tools over stdio, in both protocol eras (the library tells them apart). stdout is the protocol's
 * alone. Nothing is indexed, opened or watched until a tool is called; the server ends with its input.
 */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { messageOf } from "../../platform/errors.ts";
import { VERSION } from "../../platform/version.ts";
import { callTool, TOOLS } from "./tools.ts";

export function makeServer(cwd: string): McpServer {
  const server = new McpServer({ name: "tokenix", version: VERSION });
  for (const spec of TOOLS) {
    const inputSchema = fromJsonSchema<Record<string, unknown>>({
      type: "object",
      properties: { ...spec.properties },
      required: [...spec.required],
      additionalProperties: false,
    });
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(spec.name, { description: spec.description, inputSchema, annotations }, async (input) => {
      try {
        const { text, isError } = await callTool(spec, input, cwd);
        return { content: [{ type: "text" as const, text }], isError };
      } catch (error) {
        return { content: [{ type: "text" as const, text: messageOf(error) }], isError: true };
      }
    });
  }
  return server;
}

export async function serveMcp(cwd: string): Promise<void> {
  serveStdio(() => makeServer(cwd));
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
}
