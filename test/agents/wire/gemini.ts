/** Gemini generateContent, streaming or whole: what Gemini CLI speaks. */
import {
  asList,
  asObject,
  asText,
  callId,
  contentText,
  type ShownResult,
  type Step,
  sse,
  toolSteps,
  type Wire,
} from "./types.ts";

export const geminiWire: Wire = {
  name: "gemini",
  accepts: (path) => /:(?:streamGenerateContent|generateContent)$/.test(path),
  read(body) {
    const request = asObject(body);
    const results: ShownResult[] = [];
    for (const content of asList(request["contents"])) {
      for (const part of asList(asObject(content)["parts"])) {
        const answered = asObject(asObject(part)["functionResponse"]);
        if (answered["name"] === undefined) continue;
        const response = asObject(answered["response"]);
        const error = response["error"];
        const text = error === undefined ? contentText(response["output"]) : asText(error);
        results.push({ callId: asText(answered["id"]), text, isError: error !== undefined });
      }
    }
    const toolNames = asList(request["tools"]).flatMap((tool) =>
      asList(asObject(tool)["functionDeclarations"]).map((one) => asText(asObject(one)["name"])),
    );
    return { isMain: toolNames.length > 0, results, toolNames };
  },
  answer(step, turn, _body, path) {
    const chunk = {
      candidates: [{ index: 0, content: { role: "model", parts: parts(step, turn) }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: "scripted",
    };
    return path.endsWith(":generateContent") ? Response.json(chunk) : sse([{ data: chunk }]);
  },
};

function parts(step: Step, turn: number): object[] {
  if ("text" in step) return [{ text: step.text }];
  return toolSteps(step).map(({ tool, input }, index) => ({
    functionCall: { id: callId(turn, index), name: tool, args: input },
  }));
}
