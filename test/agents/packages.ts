/**
 * The agents under test, pinned, from npm into a cache folder outside the repository.
 * Each has a folder of its own, so one that can't be had skips its own scenarios only. No install script is run:
 * what each needs ships inside its platform package.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

export const agents = {
  claude: { package: "@anthropic-ai/claude-code", version: "2.1.332" },
  codex: { package: "@openai/codex", version: "0.171.0" },
  copilot: { package: "@github/copilot", version: "1.0.102" },
  gemini: { package: "@google/gemini-cli", version: "0.61.0" },
  opencode: { package: "opencode-ai", version: "1.18.33" },
} as const;

export type AgentName = keyof typeof agents;

export const agentNames = Object.keys(agents) as readonly AgentName[];

export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env["XDG_CACHE_HOME"] ?? (homedir() === "/" ? tmpdir() : join(homedir(), ".cache"));
  return join(base, "tokenix-test-agents");
}

/** The program to start, or nothing where the package is not installed (or has none for this machine). */
export function agentBinary(name: AgentName): string | undefined {
  const folder = join(agentFolder(name), "node_modules");
  const platform = `${process.platform}-${process.arch}`;
  const candidates: Record<AgentName, () => (string | undefined)[]> = {
    claude: () => [join(folder, "@anthropic-ai", `claude-code-${platform}`, "claude")],
    codex: () => firstVendor(join(folder, "@openai", `codex-${platform}`, "vendor")),
    copilot: () => [join(folder, "@github", `copilot-${platform}`, "copilot")],
    gemini: () => [join(folder, "@google", "gemini-cli", "bundle", "gemini.js")],
    opencode: () => [join(folder, `opencode-${platform}`, "bin", "opencode")],
  };
  return candidates[name]().find((path) => path !== undefined && existsSync(path));
}

/** Installs one agent if it is not there yet. Returns why it can't be had, or nothing. */
export async function ensureAgent(name: AgentName, timeoutMs: number): Promise<string | undefined> {
  if (agentBinary(name) !== undefined) return undefined;
  const target = agentFolder(name);
  const fresh = `${target}.${process.pid}.part`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  await Bun.write(join(fresh, "package.json"), '{"private":true}\n');
  const spec = `${agents[name].package}@${agents[name].version}`;
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
  const child = Bun.spawn(["npm", "install", "--prefix", fresh, ...flags, spec], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: timeoutMs,
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return errors.trim().split("\n")[0] || `npm ended with ${child.exitCode ?? child.signalCode}`;
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
  return agentBinary(name) === undefined ? `no program for ${process.platform}-${process.arch} in ${spec}` : undefined;
}

function agentFolder(name: AgentName): string {
  return join(cacheFolder(), `${name}-${agents[name].version}`);
}

function firstVendor(vendor: string): (string | undefined)[] {
  return existsSync(vendor) ? readdirSync(vendor).map((triple) => join(vendor, triple, "bin", "codex")) : [];
}
