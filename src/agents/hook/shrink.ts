/** One command's output through its filter and the generic stages: what `tokenix run` would have printed for it. */
import { compress } from "../../output/compress/compress.ts";
import { bundledFilter, bundledTable } from "../../output/filters/bundled.ts";
import { lookup } from "../../output/filters/lookup.ts";
import { applyFilter } from "../../output/filters/pipeline.ts";
import type { Environment } from "../../platform/paths.ts";

export interface Ran {
  readonly command: string;
  /** The one command whose output this is, under all its names; none when several printed. */
  readonly candidates: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly root: string;
  readonly env: Environment;
  readonly dryRun: boolean;
}

export interface Shrunk {
  readonly stdout: string;
  readonly stderr: string;
  readonly by: string;
}

export async function shrink(ran: Ran): Promise<Shrunk> {
  const head = lookup(bundledTable(), ran.candidates);
  const filter = head && (await bundledFilter(head[0]));
  if (!filter) return { stdout: compress(ran.stdout), stderr: compress(ran.stderr), by: "generic" };
  const result = applyFilter(filter, ran);
  return { stdout: compress(result.text), stderr: compress(result.stderr), by: filter.name };
}
