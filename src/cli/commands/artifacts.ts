/** `tokenix artifacts`: schemas, API descriptions and other files beside the code that a task needs. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { ARTIFACTS_FILE, listArtifacts, showArtifact } from "../../repo/context/artifacts.ts";
import { findProjectRoot } from "../../repo/store/root.ts";
import { wholeNumber } from "../graph-session.ts";

const json = { type: "boolean", description: "print JSON" } as const;

const list = defineCommand({
  meta: { name: "list", description: `Show what ${ARTIFACTS_FILE} names` },
  args: { json },
  run({ args }) {
    const all = listArtifacts(findProjectRoot(process.cwd()).root);
    if (args.json) console.log(JSON.stringify(all));
    else if (all.length === 0) console.log(`no artifacts: ${ARTIFACTS_FILE} would name them`);
    else
      for (const one of all)
        console.log(
          `${one.name}  ${one.path}  ${one.bytes === undefined ? "missing" : `${one.bytes} bytes`}${one.description ? `  ${one.description}` : ""}`,
        );
    return EXIT.ok;
  },
});

const show = defineCommand({
  meta: { name: "show", description: "Print an artifact, credentials masked" },
  args: {
    name: { type: "positional", required: true, description: "its name or path" },
    budget: { type: "string", default: "4000", description: "tokens at most" },
    json,
  },
  run({ args }) {
    const { artifact, text, leftOutTokens } = showArtifact(
      findProjectRoot(process.cwd()).root,
      args.name,
      wholeNumber(args.budget, "budget", 1, 10_000_000),
    );
    if (args.json) console.log(JSON.stringify({ ...artifact, text, left_out_tokens: leftOutTokens }));
    else {
      console.log(text.replace(/\n$/, ""));
      if (leftOutTokens > 0) console.error(`about ${leftOutTokens} tokens left out (--budget)`);
    }
    return EXIT.ok;
  },
});

export default defineCommand({
  meta: {
    name: "artifacts",
    description: "Files beside the code that a task needs: schemas, API descriptions, decisions",
  },
  subCommands: { list, show },
});
