/** What an integration does to a machine, said before it is done: dry runs, removal and `doctor` read the same list. */

export type Change = JsonChange | BlockChange | OwnFileChange;

interface ToFile {
  readonly path: string;
  /** A file of the repository gets ordinary permissions, one in the home is the owner's only. */
  readonly isShared: boolean;
}

/** Entries in a JSON settings file of the agent's. */
export interface JsonChange extends ToFile {
  readonly kind: "json";
  readonly entries: readonly JsonEntry[];
}

export type JsonEntry =
  /** One more element of a list. */
  | { readonly how: "append"; readonly at: readonly string[]; readonly value: JsonValue }
  /** A member that is ours by its name. */
  | { readonly how: "set"; readonly at: readonly string[]; readonly key: string; readonly value: JsonValue }
  /** Something that the file must have; not ours, kept as it is where it is there. */
  | { readonly how: "need"; readonly key: string; readonly value: JsonValue };

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** Lines at the end of a text file, between two marks. */
export interface BlockChange extends ToFile {
  readonly kind: "block";
  readonly format: "toml" | "markdown";
  /** Tells our blocks in one file apart. */
  readonly id: "hooks" | "mcp" | "instructions";
  readonly lines: readonly string[];
}

/** A file that is ours as a whole. */
export interface OwnFileChange extends ToFile {
  readonly kind: "own-file";
  readonly text: string;
  readonly isExecutable?: boolean;
}

export interface Integration {
  /** As people call the agent. */
  readonly title: string;
  readonly changes: readonly Change[];
  /** What a person has to know or do after it. */
  readonly notes: readonly string[];
}

/** What a change adds, by its place: two integrations that add the same share it, and the last one takes it away. */
export function signature(change: Change): string {
  switch (change.kind) {
    case "own-file":
      return "whole file";
    case "block":
      return `block ${change.id}`;
    case "json":
      return change.entries
        .flatMap((entry) =>
          entry.how === "need" ? [] : [[...entry.at, entry.how === "set" ? entry.key : "+"].join("/")],
        )
        .join(" ");
  }
}
