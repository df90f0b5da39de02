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
  const { definitions } = await import("../../generated/filters-data.ts");
  const json = definitions[name];
  return json === undefined ? undefined : loadDefinition(json);
}
