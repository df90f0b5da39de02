/** How a rewritten command starts this very program: by its full path, so that no PATH and no other copy matters. */
import { IS_COMPILED } from "../../platform/version.ts";

export function ownCommand(): readonly string[] {
  const program = IS_COMPILED ? [slashed(process.execPath)] : [slashed(process.execPath), slashed(Bun.main)];
  return [...program, "run"];
}

/** Forward slashes work in every shell of Windows; backslashes need quoting in most. */
function slashed(path: string): string {
  return process.platform === "win32" ? path.replaceAll("\\", "/") : path;
}
