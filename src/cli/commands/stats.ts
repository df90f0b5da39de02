/** `tokenix stats`: what the index of a project holds, after it was brought up to date. */
import { defineCommand } from "citty";
import { EXIT } from "../../platform/errors.ts";
import { openFresh } from "../../repo/index/freshness.ts";
import { projectToAsk } from "../../repo/index/project.ts";
import { totalsOf } from "../../repo/index/run.ts";
import type { Store } from "../../repo/store/store.ts";
import { count, counted, size } from "../progress.ts";
import { warnings } from "../warnings.ts";

export default defineCommand({
  meta: { name: "stats", description: "Say what the index of a project holds, and how fresh it is" },
  args: {
    path: { type: "positional", required: false, description: "The project; default: the one around here" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const fresh = await openFresh(projectToAsk(args.path, process.cwd()));
    try {
      const stats = statsOf(fresh.store, fresh.stale);
      await warnings(fresh);
      process.stdout.write(args.json ? `${JSON.stringify(stats)}\n` : describe(stats));
      return EXIT.ok;
    } finally {
      fresh.store.close();
    }
  },
});

function statsOf(store: Store, stale: string | undefined) {
  const totals = totalsOf(store);
  const [worktree = "", branch = "", commit = ""] = (store.meta("fingerprint") ?? "").split("\t");
  const models = store.vectors.living(new Set(store.chunks.owners().map((row) => row[0])));
  return {
    root: store.root,
    database: store.path,
    database_bytes: store.size(),
    indexed_at: store.meta("indexed_at") ?? null,
    state: store.meta("building") ? "incomplete" : stale === undefined ? "fresh" : "stale",
    git: worktree === "" ? null : { worktree, branch, commit },
    files: totals.files,
    chunks: totals.chunks,
    symbols: totals.symbols,
    left_out: Object.fromEntries(totals.leftOut),
    languages: store.files.languages(),
    embeddings: { models, files_waiting: store.files.pendingEmbeddings() },
  };
}

function describe(stats: ReturnType<typeof statsOf>): string {
  const { git } = stats;
  const lines = [
    `project     ${stats.root}`,
    `index       ${stats.database} (${size(stats.database_bytes)})`,
    `state       ${stats.state}, indexed at ${stats.indexed_at ?? "no time yet"}`,
    ...(git ? [`git         ${git.branch || "detached"} at ${git.commit.slice(0, 12) || "no commit yet"}`] : []),
    `holds       ${counted(stats.files, "file")}, ${counted(stats.chunks, "chunk")}, ${counted(stats.symbols, "symbol")}`,
    `embeddings  ${embeddingText(stats.embeddings)}`,
  ];
  const left = Object.entries(stats.left_out).map(([outcome, n]) => `${count(n)} ${outcome}`);
  if (left.length > 0) lines.push(`left out    ${left.join(", ")} ('tokenix files --skipped' says why)`);
  lines.push("languages");
  for (const row of stats.languages)
    lines.push(
      `  ${row.language.padEnd(14)} ${count(row.files).padStart(7)} files ${count(row.lines).padStart(10)} lines ${count(row.tokens).padStart(11)} tokens`,
    );
  return `${lines.join("\n")}\n`;
}

function embeddingText(embeddings: ReturnType<typeof statsOf>["embeddings"]): string {
  const parts = embeddings.models.map((row) => `${count(row.count)} of ${row.model}`);
  if (embeddings.files_waiting > 0)
    parts.push(
      `${counted(embeddings.files_waiting, "file")} ${embeddings.files_waiting === 1 ? "waits for its own" : "wait for theirs"}`,
    );
  return parts.join(", ") || "none";
}
