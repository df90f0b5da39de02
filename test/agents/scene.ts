/**
 * One scene of a session: a project, settings, a script for the model; run without us, and with us installed the way
 * a person does it. What differs between the two runs is what we did.
 */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runClaude } from "./drivers/claude.ts";
import { runCodex } from "./drivers/codex.ts";
import { runCopilot } from "./drivers/copilot.ts";
import { runGemini } from "./drivers/gemini.ts";
import { runOpencode } from "./drivers/opencode.ts";
import type { Outcome, Session } from "./drivers/types.ts";
import { type AgentName, agentBinary } from "./packages.ts";
import { makeSandbox, type Sandbox } from "./sandbox.ts";
import type { Step } from "./wire/types.ts";

/** Another way to run an agent than its usual one. */
export type Driver = (binary: string, session: Session) => Promise<Outcome>;

export interface Scene {
  readonly driver?: Driver;
  readonly agent: AgentName;
  readonly script: (sandbox: Sandbox) => readonly Step[];
  /** Before the installation: what the user has already. */
  readonly prepare?: (sandbox: Sandbox) => unknown;
  /** After the installation: what goes wrong with it. */
  readonly spoil?: (sandbox: Sandbox) => unknown;
  /** After the session, before the sandbox is gone. */
  readonly after?: (sandbox: Sandbox) => unknown;
  readonly answer?: "allow" | "deny";
  readonly args?: readonly string[];
  /** Words for the agent that name a place in the sandbox. */
  readonly settle?: (sandbox: Sandbox) => readonly string[];
  /** A command that starts the agent's own, with its words behind it. */
  readonly behind?: (sandbox: Sandbox) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Build an index of the project first. */
  readonly isIndexed?: boolean;
}

export interface Played extends Outcome {
  /** The result texts, without what differs from run to run. */
  readonly shown: readonly string[];
  /** Files of the sandbox, read before it is gone. */
  readonly read: (path: string) => string | undefined;
}

const drivers = { claude: runClaude, codex: runCodex, copilot: runCopilot, gemini: runGemini, opencode: runOpencode };
const toolNames = { claude: "claude-code", codex: "codex", copilot: "copilot", gemini: "gemini", opencode: "opencode" };

/** The binary under test. */
export const tokenixBinary = (): string =>
  process.env["TOKENIX_BIN"] ?? join(import.meta.dir, "..", "..", "dist", "tokenix");

/** True when the agent was asked for and could be had: otherwise its scenes are skipped. */
export function isReady(agent: AgentName): boolean {
  return (process.env["TOKENIX_REAL_AGENTS"] ?? "").split(",").includes(agent) && agentBinary(agent) !== undefined;
}

export async function play(scene: Scene, options: { readonly connected: boolean }): Promise<Played> {
  const sandbox = makeSandbox();
  try {
    await scene.prepare?.(sandbox);
    prepareAgent(scene.agent, sandbox);
    symlinkSync(tokenixBinary(), join(sandbox.bin, "tokenix"));
    await run(sandbox, ["git", "init", "-q"]);
    if (scene.isIndexed === true) await run(sandbox, ["tokenix", "index"]);
    if (options.connected) await run(sandbox, ["tokenix", "install-hook", "--tool", toolNames[scene.agent]]);
    if (options.connected) await scene.spoil?.(sandbox);
    const outcome = await (scene.driver ?? drivers[scene.agent])(agentBinary(scene.agent) ?? "", {
      sandbox,
      script: scene.script(sandbox),
      answer: scene.answer,
      args: [
        ...(scene.args ?? []),
        ...(scene.settle?.(sandbox) ?? []),
        ...(scene.agent === "codex" && options.connected ? ["--dangerously-bypass-hook-trust"] : []),
      ],
      env: scene.env,
      behind: scene.behind?.(sandbox),
    });
    if (outcome.timedOut) throw new Error(`the session did not end: ${outcome.stderr.slice(-2000)}`);
    await scene.after?.(sandbox);
    const files = new Map<string, string>();
    for (const path of new Bun.Glob("{home,project}/**/*.{txt,ts,log,json}").scanSync({
      cwd: join(sandbox.home, ".."),
      dot: true,
    })) {
      files.set(path, sandbox.read(path));
    }
    return {
      ...outcome,
      shown: outcome.results.map(({ text }) => steady(text, sandbox)),
      asked: outcome.asked.map((text) => steady(text, sandbox)),
      read: (path) => files.get(path),
    };
  } finally {
    sandbox.remove();
  }
}

/** The same scene without us and with us. */
export async function playBoth(scene: Scene): Promise<{ readonly alone: Played; readonly connected: Played }> {
  const alone = await play(scene, { connected: false });
  return { alone, connected: await play(scene, { connected: true }) };
}

/** The same run for several tests: scenes that differ only in what goes wrong with us share the one without us. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Installs once more, for this repository, as another path of the same program: two entries that are not identical. */
export async function connectAgain(sandbox: Sandbox, tool: string): Promise<void> {
  const folder = join(sandbox.home, "second");
  mkdirSync(folder, { recursive: true });
  symlinkSync(tokenixBinary(), join(folder, "tokenix"));
  const env = { ...sandbox.env, PATH: `${folder}:${sandbox.env["PATH"] ?? ""}` };
  await run({ ...sandbox, env }, ["tokenix", "install-hook", "--tool", tool, "--local"]);
}

/** Runs a program to its end in the sandbox. @throws when it fails */
export async function run(sandbox: Sandbox, command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: sandbox.project,
    env: sandbox.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${out}${errors}`);
}

/** Settings that keep an agent off the network and out of its first-run questions. */
function prepareAgent(agent: AgentName, sandbox: Sandbox): void {
  // Codex refuses a home that is not there.
  if (agent === "codex") mkdirSync(join(sandbox.home, ".codex"), { recursive: true });
  if (agent !== "gemini") return;
  const base = {
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    security: { auth: { selectedType: "gemini-api-key" } },
  };
  let own: object = {};
  try {
    own = JSON.parse(sandbox.read("home/.gemini/settings.json")) as object;
  } catch {
    // The scene brings no settings of its own.
  }
  sandbox.write("home/.gemini/settings.json", JSON.stringify({ ...base, ...own }, null, 2));
}

/** Without the sandbox's own name, process ids, times, and the counters that some agents add. */
function steady(text: string, sandbox: Sandbox): string {
  return text
    .replaceAll(join(sandbox.home, ".."), "SANDBOX")
    .replace(/\n*<system-reminder>[\s\S]*?<\/system-reminder>/g, "")
    .replace(/Chunk ID: \w+\nWall time: [\d.]+ seconds\n/g, "")
    .replace(/Process Group PGID: \d+/g, "Process Group PGID: N")
    .replace(/\b(?:shell|session)[-_]?[iI][dD]: \d+/g, "shellId: N");
}
