/** `tokenix files`: what is in the index, and with `--skipped` what is not, each with its reason. */
import { defineCommand } from "citty";
import { EXIT, UserError } from "../../platform/errors.ts";
import { shownPath } from "../../platform/text.ts";
import { openFresh } from "../../repo/index/freshness.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { STORED_OUTCOMES } from "../../repo/store/records.ts";
import type { Store } from "../../repo/store/store.ts";
import { count, counted } from "../progress.ts";
import { warnings } from "../warnings.ts";

export default defineCommand({
  meta: { name: "files", description: "List the files of the index, or those that were left out and why" },
  args: {
    path: { type: "positional", required: false, description: "The project; default: the one around here" },
    skipped: { type: "boolean", description: "What was left out, each with its reason" },
    lang: { type: "string", description: "Only files of this language" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const fresh = await openFresh(projectToAsk(args.path, process.cwd()));
    const { store } = fresh;
    await warnings(fresh);
    try {
      const rows = args.skipped ? skipped(store) : indexed(store, args.lang);
      if (args.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
      else process.stdout.write(args.skipped ? skippedText(skipped(store)) : indexedText(indexed(store, args.lang)));
      return EXIT.ok;
    } finally {
      store.close();
    }
  },
});

function indexed(store: Store, language: string | undefined) {
  const files = store.files.stored();
  if (language !== undefined && !files.some((file) => file.language === language)) {
    const known = store.files.languages().map((row) => row.language);
    throw new UserError(`no file is written in '${language}'`, `the index holds: ${known.join(", ")}`, EXIT.usage);
  }
  return files
    .filter((file) => language === undefined || file.language === language)
    .map(({ path, language, lines, tokens, encoding, outcome, detail }) => {
      return { path, language, lines, tokens, encoding, ...(outcome === "indexed" ? {} : { outcome, detail }) };
    });
}

function skipped(store: Store) {
  const seen = store.files
    .all()
    .filter((file) => !STORED_OUTCOMES.includes(file.outcome) || file.outcome === "gave-up")
    .map(({ path, outcome, detail }) => ({ path, outcome, detail: detail ?? "" }));
  return [...seen, ...store.files.leftOut()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function indexedText(rows: ReturnType<typeof indexed>): string {
  const lines = rows.map(
    (row) =>
      `${shownPath(row.path)}  ${row.language ?? "text"}  ${counted(row.lines, "line")}  ${counted(row.tokens, "token")}`,
  );
  return `${[...lines, `${counted(rows.length, "file")}`].join("\n")}\n`;
}

function skippedText(rows: ReturnType<typeof skipped>): string {
  const lines = rows.map((row) => `${row.outcome.padEnd(15)} ${shownPath(row.path)}  (${row.detail})`);
  return `${[...lines, `${count(rows.length)} ${rows.length === 1 ? "entry" : "entries"}`].join("\n")}\n`;
}
