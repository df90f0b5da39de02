/** OpenAI Responses, streaming: what Codex speaks. */
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

export const responsesWire: Wire = {
  name: "responses",
  accepts: (path) => path.endsWith("/responses"),
  read(body) {
    const request = asObject(body);
    const results: ShownResult[] = [];
    for (const item of asList(request["input"])) {
      const part = asObject(item);
      if (part["type"] !== "function_call_output" && part["type"] !== "custom_tool_call_output") continue;
      const output = part["output"];
      const nested = asObject(output)["content"];
      results.push({ callId: asText(part["call_id"]), text: contentText(nested ?? output) });
    }
    const toolNames = asList(request["tools"]).map((tool) => asText(asObject(tool)["name"]));
    return { isMain: toolNames.length > 0, results, toolNames };
  },
  answer(step, turn) {
    const id = `resp_${turn}`;
    const items = outputItems(step, turn);
    const events: SseEvent[] = [];
    const push = (type: string, rest: object) => events.push({ event: type, data: { type, ...rest } });
    push("response.created", { response: { id, status: "in_progress", output: [] } });
    items.forEach((item, index) => {
      push("response.output_item.added", { output_index: index, item });
      push("response.output_item.done", { output_index: index, item });
    });
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    };
    push("response.completed", { response: { id, status: "completed", output: items, usage } });
    return sse(events);
  },
};

function outputItems(step: Step, turn: number): object[] {
  if ("text" in step) {
    const content = [{ type: "output_text", text: step.text, annotations: [] }];
    return [{ type: "message", id: `item_${turn}`, role: "assistant", status: "completed", content }];
  }
  return toolSteps(step).map(({ tool, input }, index) => ({
    type: "function_call",
    id: `item_${turn}_${index}`,
    call_id: callId(turn, index),
    name: tool,
    arguments: JSON.stringify(input),
    status: "completed",
  }));
}
