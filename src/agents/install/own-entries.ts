/** Tells our entries in a settings file from everybody else's, whichever version of ours wrote them. */

const HOOK_LINE = /(?:^|[\s"'/\\(&])tokenix(?:\.exe)?["']?\s+hook(?:-post)?(?:\s|$|\))/i;
const WRAPPER = /tokenix-hook\.(?:sh|cmd)/i;
const PROGRAM = /(?:^|[/\\])tokenix(?:\.exe)?$/i;

/** True when a value, at any depth, starts our hook. */
export function startsOurHook(value: unknown): boolean {
  if (typeof value === "string") return HOOK_LINE.test(value) || WRAPPER.test(value);
  if (Array.isArray(value)) return value.some(startsOurHook);
  if (typeof value !== "object" || value === null) return false;
  const { command, args } = value as { command?: unknown; args?: unknown };
  if (
    typeof command === "string" &&
    PROGRAM.test(command) &&
    Array.isArray(args) &&
    /^hook(?:-post)?$/.test(String(args[0]))
  ) {
    return true;
  }
  return Object.values(value).some(startsOurHook);
}

/** Every command line (or program of the exec form) in a value: what an entry starts. */
export function commandsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== "string") return commandsIn(inner);
    return ["command", "bash", "powershell", "commandWindows", "exec"].includes(key) ? [inner] : [];
  });
}
