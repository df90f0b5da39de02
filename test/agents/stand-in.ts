/**
 * An organisation's settings lie in a folder of the machine that no test may write to. In a mount namespace of its own
 * the agent, and with it our hook, sees a copy of that folder with the settings in it.
 */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** Whether this machine lets us show a process another folder. */
export function canStandInFor(folder: string): boolean {
  if (process.platform !== "linux") return false;
  return Bun.spawnSync(["unshare", "-m", "mount", "--bind", "/tmp", folder]).success;
}

/** The words before an agent's command that show it `/etc` with these managed settings of Claude Code. */
export function withManaged(sandbox: Sandbox, settings: object): readonly string[] {
  const etc = join(sandbox.home, "..", "etc");
  mkdirSync(etc, { recursive: true });
  for (const name of ["passwd", "group", "hosts", "resolv.conf", "nsswitch.conf", "ssl", "ld.so.cache"]) {
    try {
      cpSync(join("/etc", name), join(etc, name), { recursive: true, dereference: true });
    } catch {
      // Not every machine has each of them.
    }
  }
  sandbox.write("etc/claude-code/managed-settings.json", JSON.stringify(settings));
  return ["unshare", "-m", "sh", "-c", `mount --bind '${etc}' /etc; exec "$@"`, "sh"];
}
