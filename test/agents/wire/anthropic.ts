/** Anthropic Messages, streaming: what Claude Code speaks. */
import {
  asList,
  asObject,
  asText,
  callId,
  contentText,
  type ShownResult,
  type SseEvent,
  type Step,
  sse,
  toolSteps,
  type Wire,
} from "./types.ts";

const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const anthropicWire: Wire = {
  name: "anthropic",
  accepts: (path) => path.endsWith("/v1/messages"),
  read(body) {
    const request = asObject(body);
    const results: ShownResult[] = [];
    for (const message of asList(request["messages"])) {
      for (const block of asList(asObject(message)["content"])) {
        const part = asObject(block);
        if (part["type"] !== "tool_result") continue;
        results.push({
          callId: asText(part["tool_use_id"]),
          text: contentText(part["content"]),
          isError: part["is_error"] === true,
        });
      }
    }
    const toolNames = asList(request["tools"]).map((tool) => asText(asObject(tool)["name"]));
    return { isMain: toolNames.length > 0, results, toolNames };
  },
  answer(step, turn, body) {
    const request = asObject(body);
    const blocks = contentBlocks(step, turn);
    const stopReason = toolSteps(step).length > 0 ? "tool_use" : "end_turn";
    const message = {
      id: `msg_${turn}`,
      type: "message",
      role: "assistant",
      model: asText(request["model"]) || "scripted",
    };
    if (request["stream"] !== true) {
      return Response.json({ ...message, content: blocks, stop_reason: stopReason, stop_sequence: null, usage });
    }
    const events: SseEvent[] = [];
    const push = (type: string, rest: object) => events.push({ event: type, data: { type, ...rest } });
    push("message_start", { message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } });
    blocks.forEach((block, index) => {
      const isTool = block.type === "tool_use";
      push("content_block_start", {
        index,
        content_block: isTool ? { ...block, input: {} } : { type: "text", text: "" },
      });
      const delta = isTool
        ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
        : { type: "text_delta", text: block.text };
      push("content_block_delta", { index, delta });
      push("content_block_stop", { index });
    });
    push("message_delta", { delta: { stop_reason: stopReason, stop_sequence: null }, usage });
    push("message_stop", {});
    return sse(events);
  },
};

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

function contentBlocks(step: Step, turn: number): Block[] {
  if ("text" in step) return [{ type: "text", text: step.text }];
  return toolSteps(step).map(({ tool, input }, index) => ({
    type: "tool_use",
    id: callId(turn, index),
    name: tool,
    input,
  }));
}
