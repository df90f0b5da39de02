/**
 * Reads a file as an agent wants it: its outline when it is large, a symbol, a range of lines, or fewer lines of all
 * of it. The text always comes from the disk; the index only tells what is where, and is asked only while it agrees
 * with the disk.
 */
import { realpathSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { EXIT, messageOf, UserError } from "../../platform/errors.ts";
import { readBounded } from "../../platform/files.ts";
import { git } from "../../platform/git.ts";
import { nearest } from "../../platform/nearest.ts";
import type { Environment } from "../../platform/paths.ts";
import { decodeText } from "../../platform/text.ts";
import { countTokens } from "../../platform/tokens.ts";
import { dottedName } from "../graph/spelling.ts";
import { openStore } from "../store/open.ts";
import { findProjectRoot } from "../store/root.ts";
import { type Outline, outlineFromStore, outlineOfText, renderOutline } from "./outline.ts";
import { bounded, densityLines, parseRange, signatureLines, sliceLines } from "./read-modes.ts";
import { placeOf } from "./read-place.ts";

/** Files are read whole into memory; beyond this nobody wants one shown. */
const MAX_BYTES = 64_000_000;
/** From this many lines on, an outline says more than the text. */
const LARGE_LINES = 200;
/** What nobody asked for whole is shown up to here: 10,000 tokens, and of one line 1,000 (minified code, base64). */
const MOST_CHARS = 40_000;
const MOST_LINE_CHARS = 4_000;

export interface ReadRequest {
  readonly file: string;
  readonly cwd: string;
  readonly symbol?: string | undefined;
  readonly lines?: string | undefined;
  /** `signatures`, `diff`, `density:N`, `full`, `outline`; undefined: outline when large, else full. */
  readonly mode?: string | undefined;
  readonly env?: Environment;
}

export interface ReadResult {
  /** As it is named to the reader: relative to the project when it is in one. */
  readonly path: string;
  readonly mode: "outline" | "signatures" | "diff" | "density" | "full" | "lines" | "symbol";
  readonly text: string;
  /** Lines and tokens of the whole file. */
  readonly lines: number;
  readonly tokens: number;
  /** Tokens of `text`. */
  readonly shownTokens: number;
  /** Characters of the file that were to be shown and are over the ceiling; `text` says so too. */
  readonly omittedCharacters?: number;
  /** For a symbol or a range. */
  readonly startLine?: number;
  readonly endLine?: number;
}

export async function readFile(request: ReadRequest): Promise<ReadResult> {
  const place = placeOf(request.file, request.cwd, request.env);
  const file = new SourceFile(request, place.path);
  if (request.symbol !== undefined) return file.symbol(request.symbol);
  if (request.lines !== undefined) return file.range(request.lines);
  if (request.mode !== undefined) return file.mode(request.mode);
  if (place.symbol !== undefined) return file.symbol(place.symbol);
  if (place.lines !== undefined) return file.range(place.lines);
  return file.unasked();
}

class SourceFile {
  private readonly full: string;
  private readonly root: string;
  private readonly indexed: boolean;
  private readonly path: string;
  private readonly text: string;
  private readonly lineCount: number;

  constructor(
    private readonly request: ReadRequest,
    named: string,
  ) {
    if (!statSync(named).isFile()) throw new UserError(`${named} is not a file`, undefined, EXIT.usage);
    this.full = realpathSync(named);
    const project = findProjectRoot(resolve(this.full, ".."), request.env);
    this.root = project.root;
    this.indexed = project.indexed;
    this.path = relative(this.root, this.full).replaceAll("\\", "/");
    this.text = readText(this.full);
    this.lineCount = this.text === "" ? 0 : this.text.split("\n").length - (this.text.endsWith("\n") ? 1 : 0);
  }

  /** Nothing was chosen: all of a small file, the outline of a large one, and never more than the ceiling. */
  async unasked(): Promise<ReadResult> {
    if (this.lineCount < LARGE_LINES) return this.capped("full", this.text);
    const outline = await this.outline();
    if (outline) return this.withWayOn(this.capped("outline", renderOutline(outline)));
    return this.withWayOn(this.capped("density", densityLines(this.text, undefined, 20)));
  }

  async mode(name: string): Promise<ReadResult> {
    if (name === "full") return this.result("full", this.text);
    if (name === "diff") return this.result("diff", await this.diff());
    const density = /^density(?::(.*))?$/.exec(name);
    if (density) {
      const percent = density[1] === undefined ? 30 : Number(density[1]);
      if (!(percent >= 1 && percent <= 100))
        throw new UserError(
          `density needs a number from 1 to 100, not '${density[1]}'`,
          "try --mode density:30",
          EXIT.usage,
        );
      return this.result("density", densityLines(this.text, await this.outline(), percent));
    }
    if (name === "signatures" || name === "outline") {
      const outline = await this.outline();
      if (!outline) throw new UserError(`${this.path} has no symbols to show`, "try --mode full, or density:30");
      return name === "outline"
        ? this.withWayOn(this.result("outline", renderOutline(outline)))
        : this.result("signatures", signatureLines(this.text, outline));
    }
    const modes = ["outline", "signatures", "diff", "density", "full"];
    const near = nearest(name.split(":")[0] ?? name, modes);
    throw new UserError(
      `there is no mode '${name}'`,
      near ? `did you mean '--mode ${near === "density" ? "density:30" : near}'?` : `modes: ${modes.join(", ")}`,
      EXIT.usage,
    );
  }

  range(spec: string): ReadResult {
    const range = parseRange(spec, this.lineCount);
    if (!range) throw new UserError(`'${spec}' is no range of lines`, "try --lines 10-40, 10- or 10", EXIT.usage);
    if (range.from > this.lineCount)
      throw new UserError(`${this.path} has ${this.lineCount} lines, none at ${range.from}`, undefined, EXIT.usage);
    const text = sliceLines(this.text, range.from, range.to);
    return { ...this.capped("lines", text, Number.POSITIVE_INFINITY), startLine: range.from, endLine: range.to };
  }

  async symbol(name: string): Promise<ReadResult> {
    const entries = (await this.outline())?.entries ?? [];
    const dotted = dottedName(name);
    const wanted = dotted.split(".").pop() ?? dotted;
    const found = entries.filter((entry) => entry.name === wanted || entry.name === name);
    const whole = found.filter((entry) => `.${entry.qualifiedName}`.endsWith(`.${dotted}`));
    const qualified =
      whole.length > 0 ? whole : found.length > 1 ? found.filter((one) => this.isInside(one, entries, dotted)) : found;
    const first = (qualified.length > 0 ? qualified : found)[0];
    if (!first) {
      const near = nearest(wanted, new Set(entries.map((entry) => entry.name)));
      throw new UserError(
        `${this.path} has no symbol '${name}'`,
        near ? `did you mean '${near}'?` : `'tokenix read ${this.path} --mode outline' lists its symbols`,
      );
    }
    const text = sliceLines(this.text, first.startLine, first.endLine);
    return {
      ...this.capped("symbol", text, Number.POSITIVE_INFINITY),
      startLine: first.startLine,
      endLine: first.endLine,
    };
  }

  /** For `Class.name`: is the entry inside an entry named `Class`? */
  private isInside(entry: Outline["entries"][number], entries: Outline["entries"], qualified: string): boolean {
    const parts = qualified.split(".");
    const owner = parts[parts.length - 2];
    if (owner === undefined) return true;
    return entries.some(
      (other) => other.name === owner && other.startLine <= entry.startLine && other.endLine >= entry.endLine,
    );
  }

  private async outline(): Promise<Outline | undefined> {
    if (this.indexed) {
      try {
        const env = this.request.env;
        const store = openStore(this.root, { mode: "read", ...(env ? { env } : {}) });
        try {
          const outline = outlineFromStore(store, this.path);
          if (outline) return outline;
        } finally {
          store.close();
        }
      } catch {
        // A damaged or busy index is no reason not to read a file.
      }
    }
    return outlineOfText(this.path, this.text);
  }

  private async diff(): Promise<string> {
    const args = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "HEAD", "--", this.full];
    const { code, stdout, stderr } = await git(args, { cwd: resolve(this.full, "..") });
    if (code === 0) return stdout === "" ? `${this.path} is as it was committed\n` : stdout;
    if (/not a git repository/i.test(stderr)) throw new UserError(`${this.path} is not in a git repository`);
    throw new UserError(`git could not compare ${this.path}: ${stderr.trim().split("\n")[0] ?? ""}`);
  }

  private capped(mode: ReadResult["mode"], text: string, most = MOST_CHARS): ReadResult {
    const { text: shown, omitted } = bounded(text, MOST_LINE_CHARS, most);
    if (omitted === 0) return this.result(mode, text);
    const notice = `[tokenix: ${omitted} characters are not shown; 'tokenix read ${quoted(this.path)} --mode full' shows all]\n`;
    return { ...this.result(mode, `${shown}${shown.endsWith("\n") ? "" : "\n"}${notice}`), omittedCharacters: omitted };
  }

  /** How to get what an outline leaves out. */
  private withWayOn(result: ReadResult): ReadResult {
    const read = `tokenix read ${quoted(this.path)}`;
    const way = `[to see code: '${read} --lines A-B'${result.mode === "outline" ? ", --symbol NAME" : ""}; --mode full for all of it]\n`;
    return { ...result, text: result.text + way, shownTokens: countTokens(result.text + way) };
  }

  private result(mode: ReadResult["mode"], text: string): ReadResult {
    const { path, lineCount } = this;
    return { path, mode, text, lines: lineCount, tokens: countTokens(this.text), shownTokens: countTokens(text) };
  }
}

function quoted(path: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(path) ? path : JSON.stringify(path);
}

function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readBounded(path, MAX_BYTES);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`);
  }
  const decoded = decodeText(bytes);
  if ("binary" in decoded) throw new UserError(`${path} is a binary file`);
  return decoded.text;
}
