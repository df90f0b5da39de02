/**
 * Rules given on the agent's own command line (`--disallowedTools`, `--settings`, `--deny-tool`, `--policy`) are in no
 * file. Where processes can be looked at without starting one (Linux), the hook's ancestors are asked.
 * `--permission-prompt-tool` is none of them: it says who is asked, and a command with an allow rule is not asked for.
 */
const MAX_DEPTH = 5;
const FLAGS = [
  "--disallowedtools",
  "--disallowed-tools",
  "--settings",
  "--setting-sources",
  "--managed-settings",
  "--deny-tool",
  "--deny-url",
  "--policy",
  "--admin-policy",
  "--approval-mode",
];
/** What stands between an agent and its hook; the first other program is the agent. */
const BETWEEN = new Set(["sh", "bash", "dash", "zsh", "ksh", "fish", "env", "timeout", "nice", "setsid", "busybox"]);

/** The flag that makes the files not the whole truth, or undefined. */
export async function flagWithRules(pid: number = process.ppid): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  let current = pid;
  for (let depth = 0; depth < MAX_DEPTH && current > 1; depth++) {
    const words = (await processText(current, "cmdline"))?.split("\0");
    if (!words) return undefined;
    for (const word of words) {
      const flag = word.split("=", 1)[0] ?? "";
      if (flag.startsWith("--") && FLAGS.includes(flag.toLowerCase())) return flag;
    }
    const program = words[0] ?? "";
    if (!BETWEEN.has(program.slice(program.lastIndexOf("/") + 1))) return undefined;
    const stat = await processText(current, "stat");
    if (stat === undefined) return undefined;
    current = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  }
  return undefined;
}

async function processText(pid: number, name: string): Promise<string | undefined> {
  try {
    return await Bun.file(`/proc/${pid}/${name}`).text();
  } catch {
    return undefined;
  }
}
