/**
 * Where each fault of sections A to E is tried: what users of local code search have met, one line a fault (the list's
 * own numbers; section F is in `test/graph/faults.test.ts`). A test that is renamed or dropped fails here.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const SESSION = [
  "e2e/index-faults",
  "A.1 A.3 A.5 A.7 A.11 A.13 one running session answers as the command line does, after every kind of edit",
] as const;

const FAULTS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  "A.1 a session answers from a database that is no longer there": [
    SESSION,
    [
      "index/freshness",
      "a name that was renamed on disk is found by its new name at once, and no longer by its old one",
    ],
    ["index/freshness", "a reader that stays open sees the next commit, and notices when its file was replaced"],
  ],
  "A.3 text written a moment ago is not found": [
    SESSION,
    ["index/freshness", "text appended a moment ago is in the index when the next question is asked"],
  ],
  "A.5 an outline of a file as it was": [
    SESSION,
    ["index/freshness", "an outline comes from the index only while the file is what was indexed"],
  ],
  "A.7 a merge, pull, checkout or rebase is not seen": [
    SESSION,
    ["index/freshness", "a merge that leaves a clean tree is seen, and so is a branch switch back and forth"],
  ],
  "A.9 stale for ever, by a file outside the index": [
    ["e2e/index-faults", "A.9 a dirty file outside the index leaves its status fresh, whatever it is"],
  ],
  "A.11 another transport answers otherwise": [SESSION],
  "A.13 a status that does not agree with the answers": [SESSION],
  "B.15 a shallow ignore file switches a deeper one off": [
    ["index/ignore-chain", "an empty ignore file does not switch a deeper one off"],
  ],
  "B.17 an anchored folder pattern": [
    ["index/ignore-chain", "an anchored folder pattern leaves out that folder and no other of its name"],
  ],
  "B.19 a part of the repository forgets its root's rules": [
    [
      "e2e/index-faults",
      "B.19 B.23 the repository's ignore rules hold for a part of it, in the index and in the answers",
    ],
  ],
  "B.21 the user's global excludes": [
    ["index/ignore-chain", "the user's core.excludesFile is applied, also with ~ and in an included file"],
  ],
  "B.23 a pattern with a slash, from inside its folder": [
    ["index/ignore-chain", "a pattern with a slash stays at its depth, from above and from inside"],
  ],
  "B.25 the outer rules inside a submodule": [
    ["index/ignore-chain", "inside a submodule the outer ignore rules do not hold, and its own do"],
  ],
  "B.27 a vendored bundle": [
    ["index/encodings", "every file that is seen ends in one outcome with a reason"],
    ["index/limits", "minified code and bundles are told from long data and from people's own long lines"],
  ],
  "B.29 a large text that searches just miss": [
    [
      "index/encodings",
      "a large file is indexed whole, whatever its words, or named as too large; a higher limit takes it in",
    ],
  ],
  "C.31 worktrees inside the tree": [
    ["index/checkouts", "worktrees inside the tree are other checkouts: each symbol is found once"],
    ["index/checkouts", "two worktrees of a bare repository in one folder are indexed once"],
  ],
  "C.33 a nested worktree is answered by the main checkout": [
    [
      "e2e/index-faults",
      "C.31 C.33 a worktree inside the tree is not searched twice, and a question asked in it gets its own code or none",
    ],
  ],
  "C.35 a link to its own ancestor": [
    ["index/checkouts", "a folder link to its own ancestor ends, and a link to a file counts once"],
  ],
  "C.37 staged work": [
    ["index/checkouts", "staged work and git's own index are not touched, byte for byte"],
    [
      "e2e/index-faults",
      "C.37 staged work and git's own index keep every byte, whichever command runs, and no lock of git's is taken",
    ],
  ],
  "D.39 an idle server that grows": [
    [
      "e2e/index-load",
      "D.39 a server that idles, with or without an initialize, and one that has answered hundreds of questions stay small",
    ],
  ],
  "D.41 a tree as large as Linux": [
    [
      "e2e/index-load",
      "D.41 a tree of ${C_FILES} C files is indexed to its last file, and the run stays below ${MOST_MEMORY_MB} MB",
    ],
  ],
  "D.43 a header of templates": [
    ["index/limits", "a header of templates, thousands of lines long, is indexed with its symbols"],
    ["languages/robustness", "a header-only template library is read to its end"],
  ],
  "D.45 a file that makes a grammar spin": [
    [
      "e2e/index-load",
      "D.45 files that make a grammar spin are given up and named, and Ctrl-C is heard while they are read",
    ],
    [
      "languages/robustness",
      "a lexer that fails at every character is ended in time too, though it never asks for progress",
    ],
    ["languages/robustness", "nesting that is never closed costs its own file at most, and none that comes after it"],
  ],
  "D.47 many deletions": [
    [
      "index/freshness",
      "a pull that deletes 276 of 900 files costs one pass: the next question writes less than the index has, and nothing of them is left",
    ],
  ],
  "D.49 a monorepo starves the machine": [
    [
      "e2e/index-load",
      "D.49 a JS and Go monorepo is read by as many threads as there are cores, behind other programs, and its progress only moves on",
    ],
    ["index/limits", "two threads write the same index as one"],
  ],
  "D.51 watches of every folder, servers that stay": [
    [
      "e2e/index-load",
      "D.51 no folder is watched, ignored ones are not even listed, and a server ends with its input or its client",
    ],
  ],
  "E.53 a replacement character": [
    ["index/encodings", "a replacement character in valid UTF-8 does not drop the file"],
  ],
  "E.55 UTF-16": [
    ["index/encodings", "UTF-16 with a byte-order mark, either way round, is decoded; its lines keep their numbers"],
  ],
  "E.57 E.59 names outside ASCII": [
    ["index/encodings", "a project and files with names outside ASCII are indexed, found and read as any other"],
    [
      "e2e/index-faults",
      "E.57 E.59 names outside ASCII for project, home and file work from every command, in the plainest locale too",
    ],
  ],
};

test("every fault of sections A to E has its tests", () => {
  const texts = new Map<string, string>();
  const missing: string[] = [];
  for (const [fault, tests] of Object.entries(FAULTS))
    for (const [file, name] of tests) {
      const path = join(import.meta.dir, "..", `${file}.test.ts`);
      const text = texts.get(path) ?? readFileSync(path, "utf8");
      texts.set(path, text);
      if (!["`", '"'].some((quote) => text.includes(`${quote}${name}${quote}`)))
        missing.push(`${fault}: ${file}: ${name}`);
    }
  expect(missing).toEqual([]);
  const numbers = Object.keys(FAULTS).flatMap((fault) =>
    [...fault.matchAll(/[A-E]\.(\d+)/g)].map((match) => Number(match[1])),
  );
  expect(numbers).toEqual(Array.from({ length: 30 }, (_, i) => 2 * i + 1));
});
