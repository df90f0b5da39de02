/** `install-hook` and `remove-hook` without their flags and printing: which integrations, on which files, in which order. */
import { findGitRoot } from "../../platform/git.ts";
import type { Environment } from "../../platform/paths.ts";
import { type InstallContext, installContext } from "./context.ts";
import { installChange } from "./install.ts";
import { integrationFor } from "./integrations/index.ts";
import { isPresent } from "./places.ts";
import { allRecords } from "./records.ts";
import { removeChange } from "./remove.ts";
import { type Said, sayInstalled, sayRemoved, short } from "./report.ts";
import { parseTools, TOOLS, type ToolName } from "./tools.ts";

export interface HookRequest {
  readonly tool: string;
  readonly isLocal: boolean;
  readonly isDryRun: boolean;
  readonly cwd: string;
  readonly env: Environment;
  readonly platform?: NodeJS.Platform;
  /** The program that the agents shall start; by default the running one. */
  readonly binary?: string;
}

/** @throws UserError for an unknown tool */
export function installHooks(request: HookRequest): Said {
  const context = contextOf(request);
  const wanted = parseTools(request.tool);
  const lines: string[] = [];
  const absent: string[] = [];
  let isIncomplete = false;
  for (const tool of wanted) {
    const integration = integrationFor(tool, context);
    // `all` means all that are here: settings for agents that nobody uses would only be litter.
    if (wanted.length === TOOLS.length && !isPresent(tool, context)) {
      absent.push(integration.title);
      continue;
    }
    const results = integration.changes.map((change) =>
      installChange(change, context, { tool, isDryRun: request.isDryRun }),
    );
    const said = sayInstalled(integration.title, results, integration.notes, request);
    lines.push(...said.lines);
    isIncomplete ||= said.isIncomplete;
  }
  if (absent.length > 0) lines.push(`not on this machine: ${absent.join(", ")}`);
  return { lines, isIncomplete };
}

/**
 * Takes out what was installed: without `--local` also from every repository that our records name.
 * @throws UserError for an unknown tool
 */
export function removeHooks(request: HookRequest): Said {
  const context = contextOf(request);
  const wanted = parseTools(request.tool);
  const lines: string[] = [];
  let isIncomplete = false;
  for (const tool of wanted) {
    const places = request.isLocal ? [context] : [context, ...recordedProjects(tool, context)];
    for (const place of places) {
      const { title, changes } = integrationFor(tool, place, { everywhere: true });
      // Backwards: what was added last stands on what was added first.
      const results = [...changes]
        .reverse()
        .map((change) => removeChange(change, place, { tool, isDryRun: request.isDryRun }));
      const said = sayRemoved(
        place.isLocal ? `${title} in ${short(place.project, request.env)}` : title,
        results,
        request,
      );
      lines.push(...said.lines);
      isIncomplete ||= said.isIncomplete;
    }
  }
  if (lines.length === 0) lines.push("nothing of ours was there");
  return { lines, isIncomplete };
}

function contextOf(request: HookRequest): InstallContext {
  const { env, isLocal, platform, binary } = request;
  return installContext({ env, isLocal, platform, binary, project: findGitRoot(request.cwd) ?? request.cwd });
}

/** The repositories with a local installation of this tool, found again by the files that were written there. */
function recordedProjects(tool: ToolName, context: InstallContext): InstallContext[] {
  const projects = new Set<string>();
  for (const record of allRecords(context.env)) {
    if (record.added.some((one) => one.tool === tool && one.isLocal) && record.project !== undefined) {
      projects.add(record.project);
    }
  }
  return [...projects].map((project) => ({ ...context, project, isLocal: true }));
}
