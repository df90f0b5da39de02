/** Commands that find code: by question, by text, by likeness. */
import type { CommandEntry } from "./types.ts";

export const searchCommands: readonly CommandEntry[] = [
  {
    name: "query",
    audience: "agent",
    summary: "Find the code that answers a question, within a token budget",
    examples: [
      'tokenix query "how are requests routed to handlers"',
      "tokenix query Router.addRoute --budget 600",
      'tokenix query "retry with backoff" --lang go --path "!vendor" --json',
      'tokenix query "session cookie" --link ../other-project',
    ],
    quick: true,
    load: () => import("../commands/query.ts"),
  },
  {
    name: "grep",
    audience: "agent",
    summary: "Find lines of the indexed text by a regular expression",
    examples: ["tokenix grep TODO", 'tokenix grep "fn \\w+_test" --lang rust', 'tokenix grep -F "a.b(c)" --file src'],
    quick: true,
    load: () => import("../commands/grep.ts"),
  },
  {
    name: "related",
    audience: "agent",
    summary: "Find code like the code at a place",
    examples: ["tokenix related src/main.ts:40"],
    quick: true,
    load: () => import("../commands/related.ts"),
  },
  {
    name: "benchmark",
    audience: "person",
    summary: "Measure answers against plain reading on this project, misses included",
    examples: ["tokenix benchmark", "tokenix benchmark --cases questions.json --budget 800 --json"],
    load: () => import("../commands/benchmark.ts"),
  },
];
