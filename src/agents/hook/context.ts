/**
 * What a decision may ask for beyond the call itself. Everything is fetched only when asked: the common
 * answer, "go on", touches no file.
 */
import type { Environment } from "../../platform/paths.ts";
import type { Project } from "./project.ts";
import type { RepoAnswers } from "./repo-answers.ts";

/** The hook's own time limit; past it the call goes on as if we were not there. */
export const BUDGET_MS = 1500;
const LONGEST_BUDGET_MS = 600_000;

/** `TOKENIX_HOOK_BUDGET_MS` changes the limit, for a slow disk or a busy machine. */
export function budgetMs(env: Environment): number {
  const asked = Number(env["TOKENIX_HOOK_BUDGET_MS"] ?? "");
  return Number.isFinite(asked) && asked >= 100 ? Math.min(asked, LONGEST_BUDGET_MS) : BUDGET_MS;
}

export interface HookContext {
  readonly env: Environment;
  /** The folder of the process, for a call that names none. */
  readonly cwd: string;
  /** Milliseconds of the hook's own budget that are left. */
  remainingMs(): number;
  /** The project of a folder, with its configuration. */
  project(cwd: string | undefined): Promise<Project>;
  /** What the index of a project answers. */
  answers(project: Project): Promise<RepoAnswers>;
  /** Called before the disk is gone to: from then on somebody beside this thread keeps the time too. */
  guardDisk?(): Promise<void>;
  /** Nothing is written: no log, no state, no stash. For `explain-hook`. */
  readonly dryRun: boolean;
  /** Where an organisation's settings lie; tests name their own. */
  readonly managedDirs?: readonly string[];
  /** The agent's process, whose command line may hold rules. */
  readonly parent?: number;
}

export function processContext(
  remainingMs: () => number,
  options: { dryRun?: boolean; endsSoon?: boolean } = {},
): HookContext {
  const dryRun = options.dryRun === true;
  const known = new Map<string, Promise<Project>>();
  return {
    env: process.env,
    cwd: process.cwd(),
    remainingMs,
    dryRun,
    project(cwd) {
      const from = cwd ?? process.cwd();
      const project = known.get(from) ?? loadProject(from, dryRun, async () => this.guardDisk?.());
      known.set(from, project);
      return project;
    },
    async answers(project) {
      const { repoAnswers } = await import("./repo-answers.ts");
      return repoAnswers(project, process.env, options.endsSoon);
    },
  };
}

async function loadProject(from: string, dryRun: boolean, guardDisk: () => Promise<void>): Promise<Project> {
  const { projectOf } = await import("./project.ts");
  const project = await projectOf(from, process.env);
  if (project.problems.length > 0 && !dryRun) {
    await guardDisk();
    const { noteHookError, RepeatedFault } = await import("./error-note.ts");
    noteHookError(new RepeatedFault(`${project.root}: ${project.problems.join("; ")}`));
  }
  return project;
}

export function pass(why: string): { readonly kind: "pass"; readonly why: string } {
  return { kind: "pass", why };
}

/** Past this the decision stops: what is left goes into answering. */
const RESERVE_MS = 150;

export function isLate(context: HookContext): boolean {
  return context.remainingMs() < RESERVE_MS;
}
