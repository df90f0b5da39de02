import type { CommandDef } from "citty";

/** Who a command is written for; help, README tables and completions group by it. */
export type Audience = "agent" | "person";

export interface CommandEntry {
  readonly name: string;
  readonly audience: Audience;
  /** One line, no full stop. */
  readonly summary: string;
  /** Whole command lines that work as they stand. */
  readonly examples: readonly string[];
  /** Hidden entries are internal doors: they run, but no list shows them. */
  readonly hidden?: boolean;
  /** It prints by `say` only, so `process.stdout` (3 ms) is never made for its results. */
  readonly quick?: boolean;
  /** Each command sits behind its own import, so that no other pays for it. */
  // biome-ignore lint/suspicious/noExplicitAny: citty's args differ by command, the catalog only passes them on
  readonly load: () => Promise<{ default: CommandDef<any> }>;
}
