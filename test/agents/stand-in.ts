/**
 * An organisation's settings lie in a folder of the machine that no test may write to. In a mount namespace of its own
 * the agent, and with it our hook, sees another folder in its place.
 */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

/** Whether this machine lets us show a process another folder. */
export function canStandInFor(folder: string): boolean {
  if (process.platform !== "linux") return false;
  return Bun.spawnSync(["unshare", "-m", "mount", "--bind", "/tmp", folder]).success;
}

/** The words before an agent's command that show it an `/etc` with these files in it. */
export function withEtc(sandbox: Sandbox, files: Readonly<Record<string, string>>): readonly string[] {
  const etc = join(sandbox.home, "..", "etc");
  mkdirSync(etc, { recursive: true });
  for (const name of ["passwd", "group", "hosts", "profile", "bash.bashrc", "nsswitch.conf", "ssl", "ld.so.cache"]) {
    try {
      cpSync(join("/etc", name), join(etc, name), { recursive: true, dereference: true });
    } catch {
      // Not every machine has each of them.
    }
  }
  for (const [name, text] of Object.entries(files)) sandbox.write(`etc/${name}`, text);
  return ["unshare", "-m", "sh", "-c", `mount --bind '${etc}' /etc; exec "$@"`, "sh"];
}
