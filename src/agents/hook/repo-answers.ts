/**
 * What the index can say in the place of a file or of a search that found nothing. Undefined means that it
 * has no answer to trust (no index, another checkout's, an older state of the file), and the call goes on.
 */

import { gitFingerprint } from "../../platform/git.ts";
import type { Environment } from "../../platform/paths.ts";
import { isDamage, openStore } from "../../repo/store/open.ts";
import type { Store } from "../../repo/store/store.ts";
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
  meaning(question: string, under: string | undefined): Promise<Answered | undefined>;
}

export const NO_ANSWERS: RepoAnswers = {
  outline: async () => undefined,
  symbols: async () => undefined,
  meaning: async () => undefined,
};

/** @param endsSoon the process ends behind the answer: to close the database first would only cost its time. */
export async function repoAnswers(project: Project, env: Environment, endsSoon = false): Promise<RepoAnswers> {
  if (!project.isIndexed) return NO_ANSWERS;
  return {
    async outline(path, text) {
      const { outlineFrom } = await import("./answer-outline.ts");
      return withStore(project, env, endsSoon, (store) => outlineFrom(store, project, path, text));
    },
    async symbols(name) {
      const { symbolsFrom } = await import("./answer-symbols.ts");
      return withStore(project, env, endsSoon, (store) =>
        isOfThisBranch(store, project) ? symbolsFrom(store, name) : undefined,
      );
    },
    async meaning(question, under) {
      const { meaningFrom } = await import("./answer-meaning.ts");
      return withStore(project, env, endsSoon, (store) =>
        isOfThisBranch(store, project) ? meaningFrom(store, question, under) : undefined,
      );
    },
  };
}

/** A missing, damaged or unfinished index has no answer; any other fault goes to the guard and its log. */
async function withStore<T>(
  project: Project,
  env: Environment,
  endsSoon: boolean,
  ask: (store: Store) => T | Promise<T>,
): Promise<T | undefined> {
  let store: Store;
  try {
    store = openStore(project.root, { mode: "read", env });
  } catch (error) {
    if (isDamage(error) || error instanceof Error) return undefined;
    throw error;
  }
  try {
    return store.meta("indexed_at") === undefined ? undefined : await ask(store);
  } finally {
    if (!endsSoon) store.close();
  }
}

/**
 * Hits are held against the files themselves one by one; this is about files that the index can't know: another
 * branch's or another worktree's index is never asked.
 */
function isOfThisBranch(store: Store, project: Project): boolean {
  const stored = (store.meta("fingerprint") ?? "").split("\t");
  const now = gitFingerprint(project.root);
  return stored[0] === (now?.worktree ?? "") && (stored[1] ?? "") === (now?.branch ?? "");
}
