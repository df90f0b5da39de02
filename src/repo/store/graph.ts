/** Symbols, references, imports and inheritance as the files state them; what they mean is resolved by `repo/graph`. */
import type { Database } from "bun:sqlite";
import { type LikeNames, namesBeginningNear, namesInside, namesLike, namesNear } from "./names.ts";
import type { SymbolRow } from "./records.ts";

const SYMBOL = `s.id, s.file_id AS fileId, s.chunk_id AS chunkId, s.parent_id AS parentId, f.path, s.name,
  s.qualified_name AS qualifiedName, s.container, s.kind, s.doc_line AS docStartLine, s.start_line AS startLine,
  s.end_line AS endLine, s.signature, s.exported FROM symbols s JOIN files f ON f.id = s.file_id`;

export interface ReferenceRow {
  readonly fileId: number;
  readonly path: string;
  readonly symbolId: number | null;
  readonly name: string;
  readonly qualifier: string | null;
  readonly qualifierType: string | null;
  readonly kind: string;
  readonly line: number;
}

export interface ImportRow {
  readonly fileId: number;
  readonly path: string;
  readonly module: string;
  /** JSON: `[{name, alias?}]`. */
  readonly names: string;
  readonly kind: string;
  readonly line: number;
}

export interface InheritRow {
  readonly fileId: number;
  readonly path: string;
  readonly symbolId: number | null;
  readonly child: string;
  readonly parent: string;
  readonly qualifier: string | null;
  readonly kind: string;
  readonly line: number;
}

const REFERENCE = `r.file_id AS fileId, f.path, r.symbol_id AS symbolId, r.name, r.qualifier,
  r.qualifier_type AS qualifierType, r.kind, r.line FROM refs r JOIN files f ON f.id = r.file_id`;
const IMPORT =
  "i.file_id AS fileId, f.path, i.module, i.names, i.kind, i.line FROM imports i JOIN files f ON f.id = i.file_id";
const INHERIT = `h.file_id AS fileId, f.path, h.symbol_id AS symbolId, h.child, h.parent, h.qualifier, h.kind, h.line
  FROM inherits h JOIN files f ON f.id = h.file_id`;

export class GraphTable {
  constructor(private readonly database: Database) {}

  symbolCount(): number {
    return this.database.query<{ n: number }, []>("SELECT count(*) AS n FROM symbols").get()?.n ?? 0;
  }

  symbolById(id: number): SymbolRow | undefined {
    return this.database.query<SymbolRow, [number]>(`SELECT ${SYMBOL} WHERE s.id = ?`).get(id) ?? undefined;
  }

  /** Symbols of that very name; letter case is ignored unless `exact`. */
  symbolsNamed(name: string, exact = false): SymbolRow[] {
    const rows = this.database
      .query<SymbolRow, [string]>(`SELECT ${SYMBOL} WHERE s.name = ? COLLATE NOCASE ORDER BY f.path, s.start_line`)
      .all(name);
    return exact ? rows.filter((row) => row.name === name) : rows;
  }

  symbolsOfFile(fileId: number): SymbolRow[] {
    return this.database
      .query<SymbolRow, [number]>(`SELECT ${SYMBOL} WHERE s.file_id = ? ORDER BY s.start_line, s.end_line DESC, s.id`)
      .all(fileId);
  }

  /** Every distinct symbol name, for near matches. */
  symbolNames(): string[] {
    return (this.database.query("SELECT DISTINCT name FROM symbols").values() as [string][]).map((row) => row[0]);
  }

  /** Names that a slip of the fingers or two may have made into `name`. */
  namesNear(name: string, slips: number): string[] {
    return namesNear(this.database, name, slips);
  }

  /** Some of those, in a tenth of the time: where the first half has no slip, and the second has one. */
  namesBeginningNear(name: string): string[] {
    return namesBeginningNear(this.database, name);
  }

  /** Those, and the first `limit` other names that `name` is a part of. */
  namesLike(name: string, slips: number, limit: number): LikeNames {
    return namesLike(this.database, name, slips, limit);
  }

  /** Other names of at least `least` characters that are a part of `text`, letter case aside. */
  namesInside(text: string, least: number): string[] {
    return namesInside(this.database, text, least);
  }

  /** All symbols, one row at a time, by file. */
  allSymbols(): IterableIterator<SymbolRow> {
    return this.database.query<SymbolRow, []>(`SELECT ${SYMBOL} ORDER BY s.file_id, s.id`).iterate();
  }

  referencesTo(name: string): ReferenceRow[] {
    return this.database.query<ReferenceRow, [string]>(`SELECT ${REFERENCE} WHERE r.name = ?`).all(name);
  }

  referencesOfFile(fileId: number): ReferenceRow[] {
    return this.database
      .query<ReferenceRow, [number]>(`SELECT ${REFERENCE} WHERE r.file_id = ? ORDER BY r.seq`)
      .all(fileId);
  }

  allReferences(): IterableIterator<ReferenceRow> {
    return this.database.query<ReferenceRow, []>(`SELECT ${REFERENCE} ORDER BY r.file_id, r.seq`).iterate();
  }

  importsOfFile(fileId: number): ImportRow[] {
    return this.database.query<ImportRow, [number]>(`SELECT ${IMPORT} WHERE i.file_id = ? ORDER BY i.seq`).all(fileId);
  }

  allImports(): ImportRow[] {
    return this.database.query<ImportRow, []>(`SELECT ${IMPORT} ORDER BY i.file_id, i.seq`).all();
  }

  /** What files say of the package, namespace or module that they belong to. */
  packages(): { path: string; module: string }[] {
    return this.database
      .query<{ path: string; module: string }, []>(
        "SELECT f.path, i.module FROM imports i JOIN files f ON f.id = i.file_id WHERE i.kind = 'package' ORDER BY i.file_id, i.seq",
      )
      .all();
  }

  /** Imports that bind a name under another one: where else a symbol of that name may be called. */
  aliasesOf(name: string): { fileId: number; names: string; module: string; kind: string }[] {
    const quoted = JSON.stringify({ name }).slice(1, -1);
    return this.database
      .query<{ fileId: number; names: string; module: string; kind: string }, [string]>(
        "SELECT file_id AS fileId, names, module, kind FROM imports WHERE instr(names, ? || ',\"alias\"') > 0",
      )
      .all(quoted);
  }

  /** References made inside one symbol (not inside those nested in it). */
  referencesIn(symbolId: number): ReferenceRow[] {
    return this.database
      .query<ReferenceRow, [number, number]>(
        `SELECT ${REFERENCE} WHERE r.file_id = (SELECT file_id FROM symbols WHERE id = ?) AND r.symbol_id = ? ORDER BY r.seq`,
      )
      .all(symbolId, symbolId);
  }

  inheritsOf(parent: string): InheritRow[] {
    return this.database.query<InheritRow, [string]>(`SELECT ${INHERIT} WHERE h.parent = ?`).all(parent);
  }

  /** Clauses whose parent is called `name`, with or without a qualifier in front. */
  inheritsNaming(name: string): InheritRow[] {
    return this.database
      .query<InheritRow, [string, string]>(`SELECT ${INHERIT} WHERE h.parent = ? OR h.parent LIKE '%.' || ?`)
      .all(name, name);
  }

  allInherits(): InheritRow[] {
    return this.database.query<InheritRow, []>(`SELECT ${INHERIT} ORDER BY h.file_id, h.seq`).all();
  }
}
