/** The places nearest in meaning to a question; until the search room lands there are none. */
import type { Environment } from "../../platform/paths.ts";
import type { Store } from "../../repo/store/store.ts";
import type { Project } from "./project.ts";
import type { Answered } from "./repo-answers.ts";

export async function meaningFrom(
  _store: Store,
  _question: string,
  _project: Project,
  _env: Environment,
): Promise<Answered | undefined> {
  return undefined;
}
