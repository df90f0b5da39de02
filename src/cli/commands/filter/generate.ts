/** `tokenix filter generate CMD`: a filter file from recordings, written by an AI program of this machine or as a skeleton. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { defineCommand } from "citty";
import { askAuthor, findAuthor } from "../../../output/filters/author.ts";
import { withExpected } from "../../../output/filters/expected.ts";
import { readRecordings, slugOf } from "../../../output/filters/record.ts";
import { filterSkeleton } from "../../../output/filters/skeleton.ts";
import { EXIT, UserError } from "../../../platform/errors.ts";
import { writeFileAtomic } from "../../../platform/files.ts";
import { homePath } from "../../../platform/paths.ts";
import { isInteractive } from "../../../platform/terminal.ts";
import { filterRoot } from "./place.ts";

export default defineCommand({
  meta: { name: "generate", description: "Write a filter for a command from its recordings" },
  args: {
    command: { type: "positional", required: true, description: "The words that name the tool, in quotes" },
    ai: {
      type: "string",
      description: "Send the masked recordings to this program: claude, codex, gemini, opencode",
      valueHint: "NAME",
    },
    skeleton: { type: "boolean", description: "Ask no program" },
    force: { type: "boolean", description: "Replace a file that exists" },
  },
  async run({ args }) {
    const recordings = readRecordings(filterRoot(), args.command);
    if (recordings.length === 0)
      throw new UserError(
        `there are no recordings of '${args.command}'`,
        `tokenix filter record start '${args.command}', then: tokenix run ${args.command} | cat (at a terminal outputs pass through, and nothing is kept)`,
      );
    const path = join(homePath("filters"), `${slugOf(args.command)}.toml`);
    if (existsSync(path) && !args.force) throw new UserError(`${path} exists`, "--force replaces it");
    const author = args.skeleton ? undefined : await chosenAuthor(args.ai);
    let toml = filterSkeleton(args.command, recordings).toml;
    if (author) {
      console.error(`asking ${author.name} …`);
      const answer = await askAuthor(author, args.command, recordings);
      if ("toml" in answer) toml = answer.toml;
      else console.error(`${answer.problem}; writing a skeleton instead`);
    }
    writeFileAtomic(path, withExpected(toml));
    console.log(path);
    console.error(
      "a start, and in use from now on: take out what is noise, name in must_keep what must stay, read what becomes of the\n" +
        "recordings ('expected'; after an edit: tokenix filter verify --write), and check it with: tokenix filter verify",
    );
    return EXIT.ok;
  },
});

/** Recordings leave this program only when somebody said so: by name, or at the prompt. */
async function chosenAuthor(name: string | undefined) {
  const author = findAuthor(name);
  if (name !== undefined && !author)
    throw new UserError(`there is no program '${name}' to ask`, "--skeleton asks none");
  if (!author || name !== undefined || !isInteractive()) return name === undefined ? undefined : author;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`Send the masked recordings to ${author.name}? [y/N] `);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim()) ? author : undefined;
}
