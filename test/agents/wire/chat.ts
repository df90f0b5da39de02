/** OpenAI chat completions: what OpenCode speaks through its openai-compatible provider, and Copilot with a provider of one's own. */
import {
  asList,
  asObject,
  asText,
  callId,
  contentText,
  type ShownResult,
  type SseEvent,
  sse,
  toolSteps,
  type Wire,
} from "./types.ts";

export const chatWire: Wire = {
  name: "chat",
  accepts: (path) => path.endsWith("/chat/completions"),
  read(body) {
    const request = asObject(body);
    const results: ShownResult[] = [];
    for (const message of asList(request["messages"])) {
      const part = asObject(message);
      if (part["role"] !== "tool") continue;
      results.push({ callId: asText(part["tool_call_id"]), text: contentText(part["content"]) });
    }
    const toolNames = asList(request["tools"]).map((tool) => asText(asObject(asObject(tool)["function"])["name"]));
    return { isMain: toolNames.length > 0, results, toolNames };
  },
  answer(step, turn, body) {
    const request = asObject(body);
    const steps = toolSteps(step);
    const finish = steps.length > 0 ? "tool_calls" : "stop";
    const toolCalls = steps.map(({ tool, input }, index) => ({
      index,
      id: callId(turn, index),
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }));
    const content = "text" in step ? step.text : null;
    const said = { role: "assistant", content, ...(steps.length > 0 ? { tool_calls: toolCalls } : {}) };
    const base = { id: `chat_${turn}`, created: 1, model: asText(request["model"]) || "scripted" };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    if (request["stream"] !== true) {
      const choices = [{ index: 0, message: said, finish_reason: finish }];
      return Response.json({ ...base, object: "chat.completion", choices, usage });
    }
    const chunk = (delta: object, finishReason: string | null): SseEvent => ({
      data: { ...base, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finishReason }] },
    });
    const last: SseEvent = { data: { ...base, object: "chat.completion.chunk", choices: [], usage } };
    return sse([chunk(said, null), chunk({}, finish), last], "data: [DONE]\n\n");
  },
};
