/** Rows in and out: inserts by the forty, and the memory of large values used again. */
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";

const ROWS = 40;

/** Bytes that are done with give their memory to the next that are read, long before the collector would. */
export function giveBack(bytes: Uint8Array): void {
  if (bytes.byteLength > 4096) (bytes.buffer as ArrayBuffer).transfer(0);
}

/** One statement for many rows takes a quarter of the time of one for each. */
export class RowBuffer {
  private values: SQLQueryBindings[] = [];
  private readonly many: Statement;
  private readonly one: Statement;
  private readonly columns: number;

  /** Columns are named, since a database that was completed later has them in another order. */
  constructor(database: Database, table: string, columns: readonly string[]) {
    this.columns = columns.length;
    const insert = `INSERT INTO ${table}(${columns.join(", ")}) VALUES`;
    const row = `(${columns.map(() => "?").join(",")})`;
    this.many = database.query(insert + Array.from({ length: ROWS }, () => row).join(","));
    this.one = database.query(insert + row);
  }

  add(...row: SQLQueryBindings[]): void {
    for (const value of row) this.values.push(value);
    if (this.values.length === ROWS * this.columns) {
      this.many.run(...this.values);
      this.values = [];
    }
  }

  /** Writes what is left; to be called before the transaction ends. */
  flush(): void {
    for (let at = 0; at < this.values.length; at += this.columns)
      this.one.run(...this.values.slice(at, at + this.columns));
    this.values = [];
  }

  /** Forgets rows of a transaction that was rolled back. */
  clear(): void {
    this.values = [];
  }
}
