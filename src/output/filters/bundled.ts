/** The filters inside the binary. The table is small and always read; a definition's text is loaded when it is chosen. */
import { tableText } from "../../generated/filters-table.ts";
import type { FilterDefinition } from "./schema.ts";
import { DispatchTable, loadDefinition } from "./stored.ts";

let table: DispatchTable | undefined;

export function bundledTable(): DispatchTable {
  table ??= new DispatchTable(tableText);
  return table;
}

export async function bundledFilter(name: string): Promise<FilterDefinition | undefined> {
  const { definitionsText } = await import("../../generated/filters-data.ts");
  const at = /[\t\n]/.test(name) ? -1 : definitionsText.indexOf(`\n${name}\t`);
  if (at < 0) return undefined;
  const from = at + name.length + 2;
  return loadDefinition(definitionsText.slice(from, definitionsText.indexOf("\n", from)));
}
