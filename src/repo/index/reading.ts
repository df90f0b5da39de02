/** Whether an index was made by a program that reads files as this one does. By itself, as questions load no parser. */
import { EXTRACTOR_VERSION } from "../../generated/extractor.ts";
import type { Store } from "../store/store.ts";

/** True when this program would read the files as they were read for the index. */
export function readsAlike(store: Store): boolean {
  return store.meta("extractor")?.startsWith(`${EXTRACTOR_VERSION} `) ?? false;
}
