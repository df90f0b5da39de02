/** The filters inside the binary. The table is small and always read; a definition's text is loaded when it is chosen. */
import { tableJson } from "../../generated/filters-table.ts";
import type { FilterDefinition } from "./schema.ts";
import { type DispatchTable, loadDefinition } from "./stored.ts";

let table: DispatchTable | undefined;

export function bundledTable(): DispatchTable {
  table ??= JSON.parse(tableJson) as DispatchTable;
  return table;
}

export async function bundledFilter(name: string): Promise<FilterDefinition | undefined> {
  const { definitions } = await import("../../generated/filters-data.ts");
  const json = definitions[name];
  return json === undefined ? undefined : loadDefinition(json);
}
