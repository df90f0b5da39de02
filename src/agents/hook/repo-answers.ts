/**
 * What the index can say in the place of a file or of a search that found nothing. Undefined means that it
 * has no answer to trust (no index, another checkout's, an older state of the file), and the call goes on.
 */
import type { Environment } from "../../platform/paths.ts";
import type { Project } from "./project.ts";

export interface Outline {
  readonly text: string;
  readonly totalLines: number;
}

export interface Answered {
  readonly text: string;
  readonly hits: number;
}

export interface RepoAnswers {
  /** The outline of a file whose present text is given. */
  outline(path: string, text: string): Promise<Outline | undefined>;
  /** Where a name is defined, near names when there is none. */
  symbols(name: string): Promise<Answered | undefined>;
  /** The places nearest in meaning to a question. */
  meaning(question: string): Promise<Answered | undefined>;
}

export const NO_ANSWERS: RepoAnswers = {
  outline: async () => undefined,
  symbols: async () => undefined,
  meaning: async () => undefined,
};

export async function repoAnswers(_project: Project, _env: Environment): Promise<RepoAnswers> {
  return NO_ANSWERS;
}
