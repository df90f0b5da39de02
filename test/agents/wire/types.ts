/**
 * What a scripted model says and hears, free of any one API's field names.
 * The four wire files beside this one translate it; none of them knows a scenario.
 */

/** One turn of the scripted model: call a tool (or several at once), or say something and stop. */
export type Step = ToolStep | { readonly text: string } | { readonly together: readonly ToolStep[] };

export interface ToolStep {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A tool result as the agent sent it back to the model: what the model was shown, word for word. */
export interface ShownResult {
  readonly callId: string;
  readonly text: string;
  /** Only where the API carries such a mark. */
  readonly isError?: boolean;
}

/** One agent request, reduced to what the script needs. */
export interface Turn {
  /** False for side requests (titles, quota probes): they get a short text and do not move the script on. */
  readonly isMain: boolean;
  readonly results: readonly ShownResult[];
  readonly toolNames: readonly string[];
}

/** The wire format of one API. */
export interface Wire {
  readonly name: string;
  accepts(path: string): boolean;
  read(body: unknown): Turn;
  /** The streamed answer; `turn` numbers the calls so that their ids are the same in every run. */
  answer(step: Step, turn: number, body: unknown, path: string): Response;
}

export const callId = (turn: number, index: number): string => `call_${turn}_${index}`;

export function toolSteps(step: Step): readonly ToolStep[] {
  if ("together" in step) return step.together;
  return "tool" in step ? [step] : [];
}

export interface SseEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** A whole event stream at once: scripted models have nothing to wait for. */
export function sse(events: readonly SseEvent[], end = ""): Response {
  const body = events
    .map(({ event, data }) => `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
    .join("");
  return new Response(body + end, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

type Json = Record<string, unknown>;

export const asObject = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The text of a content value: a string, or a list of blocks of which the texts count. */
export function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  return asList(value)
    .map((block) => asText(asObject(block)["text"]))
    .join("");
}
