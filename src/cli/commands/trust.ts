/** `tokenix trust`: what a repository brings that tokenix would act on, and its owner's yes to exactly these bytes. */
import { createInterface } from "node:readline/promises";
import { defineCommand } from "citty";
import { describeInput } from "../../output/filters/describe-input.ts";
import { revoke, trust, trustedRoots, trustState } from "../../output/filters/trust.ts";
import { EXIT, UserError } from "../../platform/errors.ts";
import { findGitRoot } from "../../platform/git.ts";
import { isInteractive } from "../../platform/terminal.ts";
import { counted } from "../progress.ts";

export default defineCommand({
  meta: { name: "trust", description: "Show what this repository would have tokenix do, and allow it" },
  args: {
    list: { type: "boolean", description: "What is trusted, in every repository" },
    revoke: { type: "boolean", description: "Take the trust of this repository back" },
    yes: { type: "boolean", alias: "y", description: "Allow without asking" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const root = findGitRoot(process.cwd()) ?? process.cwd();
    if (args.list) return list(args.json === true);
    if (args.revoke) {
      const count = revoke(root);
      if (args.json) console.log(JSON.stringify({ root, revoked: count }));
      else
        console.log(
          count > 0
            ? `${counted(count, "file")} of ${root} ${count === 1 ? "is" : "are"} no longer trusted`
            : `nothing of ${root} was trusted`,
        );
      return EXIT.ok;
    }
    const state = trustState(root);
    const waiting = [...state.changed, ...state.fresh];
    const all = [...state.trusted, ...waiting];
    if (args.json) console.log(JSON.stringify({ root, ...state }));
    else if (all.length === 0) console.log(`${root} brings nothing that needs trust`);
    else {
      console.log(`${root} brings:`);
      for (const input of all) {
        const mark = state.trusted.includes(input) ? "trusted" : state.changed.includes(input) ? "CHANGED" : "new";
        console.log(`  ${mark.padEnd(8)} ${input.path}`);
        for (const line of await describeInput(root, input.path)) console.log(`           ${line}`);
      }
    }
    if (waiting.length === 0) return EXIT.ok;
    if (
      args.yes !== true &&
      !(await isConfirmed(`Allow all ${all.length}? Any later edit takes the trust away. [y/N] `))
    )
      return EXIT.findings;
    trust(root, all);
    if (!args.json) console.log(`trusted: ${counted(all.length, "file")}; 'tokenix trust --revoke' takes it back`);
    return EXIT.ok;
  },
});

async function isConfirmed(question: string): Promise<boolean> {
  if (!isInteractive())
    throw new UserError(
      "nothing was allowed: there is nobody to ask",
      "a person who has read the list: tokenix trust --yes",
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

function list(json: boolean): number {
  const roots = trustedRoots();
  if (json) console.log(JSON.stringify(roots));
  else if (roots.length === 0) console.log("no repository is trusted");
  for (const { root, files } of json ? [] : roots) {
    console.log(root);
    for (const [path, hash] of Object.entries(files)) console.log(`  ${hash.slice(0, 12)}  ${path}`);
  }
  return EXIT.ok;
}
