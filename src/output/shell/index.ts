/** Understanding a command line: its parts, what filters match it by, and where our prefix may stand. */
export { argvCandidates, candidates, segmentCandidates, soleCommand } from "./candidates.ts";
export { parseCommandLine } from "./parse.ts";
export type { Reason } from "./program-rules.ts";
export { whyLeftAlone } from "./programs.ts";
export { requote } from "./quote.ts";
export { type Rewrite, type RewriteOptions, rewriteCommand } from "./rewrite.ts";
export { type SimpleCommand, simpleCommandForms, simpleCommands } from "./simple-commands.ts";
export type { Assignment, CommandLine, Compound, Dialect, Operator, Redirection, Segment, Word } from "./types.ts";
