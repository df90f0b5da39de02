/**
 * One command's output through its filter and the generic stages, with the way back to what was left out: what
 * `tokenix run` would have shown for it, from the same parts.
 */
import { openFilters } from "../../output/filters/find.ts";
import { retrieveHint, teeHint } from "../../output/recall/hint.ts";
import { stash } from "../../output/recall/store.ts";
import { isTeeOn, tee } from "../../output/recall/tee.ts";
import { type ChosenFilter, type Shown, show } from "../../output/run/print.ts";
import { printsVerbatim } from "../../output/run/verbatim.ts";
import { type LeftOut, leftOut } from "../../output/run/way-back.ts";
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
  /** The filter's name, or `generic`. */
  readonly by: string;
}

/** A text that no command printed: the generic stages alone (`verbatim`: only the ceiling), and the way back. */
export function shrinkText(
  text: string,
  what: Pick<Ran, "command" | "root" | "env" | "dryRun"> & { readonly verbatim: boolean },
): Promise<string> {
  return shortened({ ...what, candidates: [], stdout: text, stderr: "", exitCode: 0 }, text, undefined, what.verbatim);
}

export async function shrink(ran: Ran): Promise<Shrunk> {
  const filter = await chosenFilter(ran);
  const stdout = await shortened(ran, ran.stdout, filter);
  const stderr = await shortened(ran, ran.stderr, filter?.definition.filter_stderr ? filter : undefined);
  return { stdout, stderr, by: filter?.definition.name ?? "generic" };
}

async function chosenFilter(ran: Ran): Promise<ChosenFilter | undefined> {
  if (ran.candidates.length === 0) return undefined;
  const found = (await openFilters(ran.root, ran.env)).find(ran.candidates);
  const definition = await found?.load();
  return found && definition ? { definition, tier: found.tier, isUnproven: found.isUnproven } : undefined;
}

async function shortened(
  ran: Ran,
  text: string,
  filter: ChosenFilter | undefined,
  verbatim = printsVerbatim(ran.candidates),
): Promise<string> {
  if (text === "") return "";
  const head = Buffer.from(text);
  const shown = await show(
    { bytes: head.length, head, tail: Buffer.alloc(0), omittedBytes: 0, omittedLines: 0, failureLines: [] },
    {
      command: ran.command,
      exitCode: ran.exitCode,
      verbatim,
      besides: ran.stdout !== "" && ran.stderr !== "",
      ...(filter ? { filter } : {}),
    },
  );
  if (shown.isRaw) return text;
  const short = shown.bytes.toString("utf8");
  const left = leftOut(head, shown, ran.exitCode);
  if (!left) return short;
  const hint = wayBack(ran, head, shown, left);
  // What can't be fetched again is not cut.
  if (hint === undefined) return shown.cut || left.lines > 0 ? text : short;
  const whole = `${short}${short === "" || short.endsWith("\n") ? "" : "\n"}${hint}`;
  return whole.length < text.length ? whole : text;
}

function wayBack(ran: Ran, raw: Buffer, shown: Shown, left: LeftOut): string | undefined {
  const what = `${shown.droppedBytes} of ${raw.length} bytes not shown`;
  if (ran.dryRun) return retrieveHint("000000000000", what);
  try {
    if (ran.exitCode !== 0 && isTeeOn(ran.env)) return teeHint(tee(raw, ran.command, ran.env), left);
    const details = {
      command: ran.command.slice(0, 400),
      project: ran.root,
      exitCode: ran.exitCode,
      at: new Date().toISOString(),
      bytes: raw.length,
      shownChars: shown.chars,
    };
    return retrieveHint(stash(raw, details, ran.env), what);
  } catch {
    return undefined;
  }
}
