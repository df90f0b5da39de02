/**
 * Cuts a file into chunks along its symbols. Chunks partition the file: put together they are its text, byte for byte,
 * so nothing is lost and nothing is found twice. A symbol that fits is one piece, a larger one is its head, its members
 * and its gaps; what is still too long is cut at the line border that disturbs least. Small neighbours are joined, and
 * every symbol keeps its own exact lines in the `symbols` table.
 */
import { countTokens } from "../../platform/tokens.ts";
import type { ChunkRecord, SymbolRecord } from "../store/records.ts";

/**
 * Measured over 31 labelled repositories with the embedded model: 1,500 characters .872 NDCG@10 and 388 tokens to the
 * first hit, 1,200 .871 and 318, 1,000 .876 and 278. Smaller chunks are 27 % more rows.
 */
const MAX_CHARS = 1000;
const MAX_LINES = 40;
/** A symbol may be this much over before it is taken apart: half a function helps nobody. */
const WHOLE_SYMBOL = 1.4;
/** A piece below this is joined to a neighbour: a brace, an import, a getter is no answer by itself. */
const SMALL_CHARS = 350;
/** A single line beyond this is cut inside: data, mostly. */
const MAX_LINE_CHARS = 4 * MAX_CHARS;

export interface Chunked {
  readonly chunks: readonly ChunkRecord[];
  /** Start of each chunk in UTF-16 units, and the end of the last one. */
  readonly offsets: readonly number[];
  /** For each symbol the index of the chunk that holds its first line. */
  readonly symbolChunks: readonly number[];
  readonly lines: number;
}

interface Piece {
  startLine: number;
  endLine: number;
  start: number;
  end: number;
  /** Index of the symbol it belongs to; -1 is the file itself. */
  owner: number;
  /** Characters of the owner's share, to tell the main symbol of a joined piece. */
  share: number;
  /** Part of one long line: never joined, as its lines would no longer be whole. */
  partOfLine: boolean;
  /** Depth of the owner: pieces are joined inside one container or on one level. */
  container: number;
}

export function chunkText(text: string, symbols: readonly SymbolRecord[]): Chunked {
  const starts = lineStarts(text);
  const lineCount = starts.length - 1;
  if (lineCount === 0) return { chunks: [], offsets: [0], symbolChunks: symbols.map(() => 0), lines: 0 };
  const cutter = new Cutter(text, starts, symbols);
  const pieces = join(cutter.cut());
  const chunks: ChunkRecord[] = [];
  const offsets: number[] = [];
  const ascii = Buffer.byteLength(text) === text.length;
  let byte = 0;
  for (const piece of pieces) {
    const content = text.slice(piece.start, piece.end);
    const end = byte + (ascii ? content.length : Buffer.byteLength(content));
    const owner = symbols[piece.owner];
    chunks.push({
      startLine: piece.startLine,
      endLine: piece.endLine,
      startByte: byte,
      endByte: end,
      symbol: owner?.qualifiedName,
      kind: owner?.kind ?? "block",
      tokens: countTokens(content),
    });
    offsets.push(piece.start);
    byte = end;
  }
  offsets.push(text.length);
  return { chunks, offsets, symbolChunks: symbols.map((one) => chunkAt(chunks, one.startLine)), lines: lineCount };
}

/** Offset of each line, and of the end. A final line end makes no further line. */
export function lineStarts(text: string): number[] {
  if (text === "") return [0];
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  if (starts[starts.length - 1] !== text.length) starts.push(text.length);
  return starts;
}

class Cutter {
  private readonly pieces: Piece[] = [];
  private readonly children: number[][] = [];
  private readonly tops: number[] = [];

  constructor(
    private readonly text: string,
    private readonly starts: readonly number[],
    private readonly symbols: readonly SymbolRecord[],
  ) {
    symbols.forEach((symbol, index) => {
      const siblings = symbol.parent === undefined ? this.tops : this.children[symbol.parent];
      if (siblings) siblings.push(index);
      else if (symbol.parent !== undefined) this.children[symbol.parent] = [index];
    });
  }

  cut(): Piece[] {
    const last = this.starts.length - 1;
    if (this.size(1, last) <= MAX_CHARS && last <= MAX_LINES) this.push(1, last, this.tops[0] ?? -1, -1);
    else this.inside(1, last, this.tops, -1, -1);
    return this.pieces;
  }

  /** Lines `from` to `to`, which belong to `owner`, along the symbols in them. */
  private inside(from: number, to: number, members: readonly number[], owner: number, container: number): void {
    let next = from;
    const ordered = [...members].sort((a, b) => this.first(a) - this.first(b) || a - b);
    for (const member of ordered) {
      const symbol = this.symbols[member] as SymbolRecord;
      const start = Math.max(next, this.first(member));
      const end = Math.min(to, symbol.endLine);
      if (end < start) continue;
      if (start > next) this.range(next, start - 1, owner, container);
      this.symbol(start, end, member, owner);
      next = end + 1;
    }
    if (next <= to) this.range(next, to, owner, container);
  }

  private symbol(from: number, to: number, index: number, container: number): void {
    const fits = this.size(from, to) <= MAX_CHARS * WHOLE_SYMBOL && to - from < MAX_LINES * WHOLE_SYMBOL;
    const members = this.children[index];
    if (fits) this.push(from, to, index, container);
    else if (members && members.length > 0) this.inside(from, to, members, index, index);
    else this.range(from, to, index, container);
  }

  /** Plain lines, cut where they are long. */
  private range(from: number, to: number, owner: number, container: number): void {
    let start = from;
    while (start <= to) {
      let end = start;
      while (
        end < to &&
        end - start + 1 < MAX_LINES &&
        this.size(start, end + 1) <= MAX_CHARS &&
        this.size(end + 1, end + 1) <= MAX_LINE_CHARS
      )
        end++;
      if (end < to) end = this.bestBorder(start, end);
      if (start === end && this.size(start, end) > MAX_LINE_CHARS) this.longLine(start, owner, container);
      else this.push(start, end, owner, container);
      start = end + 1;
    }
  }

  /** The last line before a good place to cut: a blank line, else the shallowest line, in the last third. */
  private bestBorder(start: number, end: number): number {
    const least = start + Math.floor((end - start) * 0.6);
    let best = end;
    let bestIndent = this.indent(end + 1);
    for (let line = end; line > least; line--) {
      const indent = this.indent(line);
      if (indent < 0) return line;
      if (indent < bestIndent) {
        bestIndent = indent;
        best = line - 1;
      }
    }
    return Math.max(best, start);
  }

  /** Leading blanks of a line; -1 when there is nothing else. */
  private indent(line: number): number {
    const end = this.starts[line] ?? this.text.length;
    for (let at = this.starts[line - 1] ?? 0, n = 0; at < end; at++, n++) {
      const code = this.text.charCodeAt(at);
      if (code === 10 || code === 13) return -1;
      if (code !== 32 && code !== 9) return n;
    }
    return -1;
  }

  private longLine(line: number, owner: number, container: number): void {
    const lineEnd = this.starts[line] as number;
    let start = this.starts[line - 1] as number;
    while (start < lineEnd) {
      let end = Math.min(start + MAX_CHARS, lineEnd);
      const code = this.text.charCodeAt(end - 1);
      if (end < lineEnd && code >= 0xd800 && code <= 0xdbff) end--;
      if (lineEnd - end < SMALL_CHARS) end = lineEnd;
      const share = end - start;
      this.pieces.push({ startLine: line, endLine: line, start, end, owner, share, partOfLine: true, container });
      start = end;
    }
  }

  private push(from: number, to: number, owner: number, container: number): void {
    const start = this.starts[from - 1] as number;
    const end = this.starts[to] as number;
    const partOfLine = false;
    this.pieces.push({ startLine: from, endLine: to, start, end, owner, share: end - start, partOfLine, container });
  }

  private first(index: number): number {
    const symbol = this.symbols[index] as SymbolRecord;
    return Math.max(1, Math.min(symbol.docStartLine, symbol.startLine));
  }

  private size(from: number, to: number): number {
    return (this.starts[to] ?? this.text.length) - (this.starts[from - 1] ?? 0);
  }
}

/** Joins small pieces to the one before, when both stand in one container and the whole still fits. */
function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined[joined.length - 1];
    if (before && fitTogether(before, piece)) {
      const size = piece.end - piece.start;
      if (piece.owner !== before.owner && (before.owner < 0 || size > before.share) && piece.owner >= 0) {
        before.owner = piece.owner;
        before.share = size;
      } else if (piece.owner === before.owner) before.share += size;
      before.end = piece.end;
      before.endLine = piece.endLine;
    } else joined.push({ ...piece });
  }
  return joined;
}

function fitTogether(before: Piece, piece: Piece): boolean {
  if (before.partOfLine || piece.partOfLine) return false;
  const a = before.end - before.start;
  const b = piece.end - piece.start;
  if (a + b > MAX_CHARS || piece.endLine - before.startLine >= MAX_LINES) return false;
  if (a >= SMALL_CHARS && b >= SMALL_CHARS) return false;
  // A tail such as a closing brace goes with what it closes; otherwise stay inside one container.
  return before.container === piece.container || before.owner === piece.container || b < SMALL_CHARS / 4;
}

function chunkAt(chunks: readonly ChunkRecord[], line: number): number {
  let low = 0;
  let high = chunks.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle] as ChunkRecord).endLine < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
