/** One way to run an agent, whatever the agent: a script for the model in, what the model was shown out. */
import type { ModelServer } from "../model-server.ts";
import type { Sandbox } from "../sandbox.ts";
import type { ShownResult, Step } from "../wire/types.ts";

export interface Session {
  readonly sandbox: Sandbox;
  readonly script: readonly Step[];
  /** What a person answers when the agent asks; agents that can't ask here refuse by themselves. */
  readonly answer?: "allow" | "deny";
  readonly args?: readonly string[];
  /** A command that starts the agent's own, with its words behind it. */
  readonly behind?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly results: readonly ShownResult[];
  /** Each question that a person was asked, whole, as the agent put it. */
  readonly asked: readonly string[];
  readonly toolNames: readonly string[];
  readonly requests: ModelServer["requests"];
}
