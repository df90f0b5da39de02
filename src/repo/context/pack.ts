/**
 * `pack`: a budgeted map of the repository for tools without hooks. Outlines, never whole dumps; files in a stable order
 * (reason, then rank, then path), so that a prompt cache meets the same prefix again; secrets left out and masked.
 */
import { redactCredentials } from "../../platform/redact.ts";
import { countTokens } from "../../platform/tokens.ts";
import { type ChangedFile, isTestPath } from "../graph/blast.ts";
import type { Graph } from "../graph/graph.ts";
import { BudgetedText } from "./budget.ts";
import { fileRanks } from "./file-rank.ts";
import { isSecretFile } from "./secret-files.ts";

export const PACK_MODES = ["plan", "debug", "audit", "security", "review"] as const;
export const PACK_FORMATS = ["markdown", "xml", "json"] as const;
export type PackMode = (typeof PACK_MODES)[number];
export type PackFormat = (typeof PACK_FORMATS)[number];

export interface PackOptions {
  readonly mode: PackMode;
  readonly format: PackFormat;
  readonly budgetTokens: number;
  readonly maxFiles: number;
  /** Only these, when the pack is of a change. */
  readonly changed?: readonly ChangedFile[] | undefined;
  readonly tokenMap?: boolean;
}

/** Why a file is in the pack; the order of this list is the order in the pack. */
const REASONS = [
  "changed",
  "entry point",
  "manifest",
  "security",
  "source",
  "test",
  "document",
  "configuration",
] as const;
type Reason = (typeof REASONS)[number];

interface Candidate {
  readonly path: string;
  readonly fileId: number;
  readonly language: string;
  readonly tokens: number;
  readonly reason: Reason;
  readonly rank: number;
}

export interface PackedFile {
  readonly path: string;
  readonly language: string;
  readonly tokens: number;
  readonly reason: string;
  readonly outline: string;
}

export interface Pack {
  readonly text: string;
  readonly tokens: number;
  readonly files: number;
  readonly leftOut: number;
  readonly secretFiles: number;
}

const ENTRY = /(?:^|\/)(?:main|index|app|server|cli|lib|mod|__main__|manage|program|startup)\.\w+$/i;
const MANIFEST =
  /(?:^|\/)(?:package\.json|Cargo\.toml|go\.mod|pyproject\.toml|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|mix\.exs|CMakeLists\.txt|Makefile|Dockerfile|README[^/]*)$/i;
const SECURITY =
  /(?:auth|login|session|token|crypt|password|permission|sanitiz|escape|secret|acl|rbac|csrf|cors|jwt|oauth|sql|upload|deserializ)/i;

export function makePack(graph: Graph, name: string, options: PackOptions): Pack {
  const { chosen, secretFiles, considered } = candidates(graph, options);
  const out = new BudgetedText(options.budgetTokens, 60);
  const shape = SHAPES[options.format];
  const head = `${name}: ${considered} files of ${graph.store.files.counts().get("indexed") ?? 0} in the index, mode ${options.mode}`;
  out.section("head").addLines(shape.open(head));
  if (options.tokenMap) out.section("token map").addLines(shape.map(chosen.slice(0, options.maxFiles)));
  let files = 0;
  for (const candidate of chosen) {
    if (files >= options.maxFiles) break;
    if (out.left < 24) break;
    const text = outlineLines(graph, candidate, Math.min(out.left - 16, perFile(options, chosen.length)));
    if (out.section(candidate.reason).add(shape.file(candidate, text, files === 0))) files++;
    else break;
  }
  const leftOut = chosen.length - files;
  out
    .section("close")
    .close(
      shape.close(
        `${leftOut} files left out${secretFiles > 0 ? `, ${secretFiles} for what they may hold` : ""}; more: --budget, --max-files, tokenix read PATH`,
        out.breakdown(),
      ),
    );
  return { text: out.toString(), tokens: out.tokens, files, leftOut, secretFiles };
}

/** No file takes more than this, so that a large one does not push out ten others. */
function perFile({ budgetTokens, mode }: PackOptions, count: number): number {
  const share = mode === "review" || mode === "debug" ? 4 : 8;
  return Math.max(60, Math.floor(budgetTokens / Math.min(share, Math.max(1, count))));
}

function candidates(
  graph: Graph,
  options: PackOptions,
): { chosen: Candidate[]; secretFiles: number; considered: number } {
  const changed = options.changed && new Set(options.changed.map((file) => file.path));
  const ranks = fileRanks(graph);
  let secretFiles = 0;
  const all: Candidate[] = [];
  for (const row of graph.store.files.stored()) {
    if (changed && !changed.has(row.path)) continue;
    if (isSecretFile(row.path)) {
      secretFiles++;
      continue;
    }
    const code = graph.universe.fileAt(row.path)?.family !== undefined;
    all.push({
      path: row.path,
      fileId: row.id,
      language: row.language ?? "text",
      tokens: row.tokens,
      reason: reasonFor(row.path, code, changed !== undefined, options.mode),
      rank: ranks.get(row.path) ?? 0,
    });
  }
  const order = orderFor(options.mode);
  all.sort((a, b) => order(a.reason) - order(b.reason) || b.rank - a.rank || (a.path < b.path ? -1 : 1));
  return { chosen: all, secretFiles, considered: all.length };
}

function reasonFor(path: string, isCode: boolean, isChanged: boolean, mode: PackMode): Reason {
  if (isChanged) return "changed";
  if (MANIFEST.test(path)) return "manifest";
  if (isTestPath(path)) return "test";
  if ((mode === "security" || mode === "audit") && isCode && SECURITY.test(path)) return "security";
  if (isCode) return ENTRY.test(path) ? "entry point" : "source";
  return /\.(?:mdx?|rst|txt|adoc)$/i.test(path) ? "document" : "configuration";
}

function orderFor(mode: PackMode): (reason: Reason) => number {
  const first: Readonly<Record<PackMode, readonly Reason[]>> = {
    plan: ["changed", "manifest", "entry point", "source", "document"],
    debug: ["changed", "entry point", "source", "test"],
    audit: ["changed", "security", "manifest", "configuration", "entry point", "source"],
    security: ["changed", "security", "configuration", "manifest", "entry point"],
    review: ["changed", "source", "entry point", "test"],
  };
  const order = [...first[mode], ...REASONS.filter((reason) => !first[mode].includes(reason))];
  return (reason) => order.indexOf(reason);
}

/** The file's symbols, one line each; a document its first lines. Whatever does not fit is counted. */
function outlineLines(graph: Graph, file: Candidate, budgetTokens: number): string {
  const nodes = graph.universe.symbolsOf(file.fileId);
  const lines: string[] = [];
  let room = budgetTokens * 4;
  const add = (line: string): boolean => {
    room -= line.length + 1;
    if (room < 24) return false;
    lines.push(line);
    return true;
  };
  let shown = 0;
  for (const node of nodes) {
    const depth = node.qualifiedName.split(".").length - 1;
    if (depth > 1) continue;
    if (
      !add(
        `${node.startLine}: ${"  ".repeat(depth)}${redactCredentials(node.signature || `${node.kind} ${node.name}`).slice(0, 160)}`,
      )
    )
      break;
    shown++;
  }
  if (nodes.length === 0) {
    const text = redactCredentials((graph.store.files.text(file.fileId) ?? "").slice(0, 4000)).split("\n");
    for (const line of text.filter((one) => one.trim() !== "").slice(0, 12)) if (!add(line.slice(0, 160))) break;
  } else if (shown < nodes.length) lines.push(`… ${nodes.length - shown} more symbols`);
  return lines.join("\n");
}

interface Shape {
  open(head: string): string[];
  map(files: readonly Candidate[]): string[];
  file(candidate: Candidate, outline: string, isFirst: boolean): string;
  close(note: string, breakdown: readonly { name: string; tokens: number }[]): string;
}

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const SHAPES: Readonly<Record<PackFormat, Shape>> = {
  markdown: {
    open: (head) => [`# ${head}`],
    map: (files) => ["", "## Tokens", ...files.map((file) => `${file.path}  ${file.tokens} tokens  ${file.reason}`)],
    file: (file, outline) =>
      `\n## ${file.path} (${file.language}, about ${file.tokens} tokens, ${file.reason})\n${outline}`,
    close: (note) => `\n${note}`,
  },
  xml: {
    open: (head) => [`<pack about="${xml(head)}">`],
    map: (files) => [
      "<tokens>",
      ...files.map((file) => `  <file path="${xml(file.path)}" tokens="${file.tokens}" reason="${file.reason}"/>`),
      "</tokens>",
    ],
    file: (file, outline) =>
      `<file path="${xml(file.path)}" language="${xml(file.language)}" tokens="${file.tokens}" reason="${file.reason}">\n${xml(outline)}\n</file>`,
    close: (note) => `<left-out>${xml(note)}</left-out>\n</pack>`,
  },
  // One object a line inside an array: valid whole, and cut only between objects.
  json: {
    open: (head) => [`{"about": ${JSON.stringify(head)}, "files": [`],
    map: () => [],
    file: (file, outline, isFirst) =>
      `${isFirst ? "" : ","}${JSON.stringify({ path: file.path, language: file.language, tokens: file.tokens, reason: file.reason, outline })}`,
    close: (note) => `], "left_out": ${JSON.stringify(note)}}`,
  },
};

export function packTokens(text: string): number {
  return countTokens(text);
}
