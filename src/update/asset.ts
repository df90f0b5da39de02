/** Which file of a release is for this machine. */
import { existsSync, readdirSync } from "node:fs";
import { UserError } from "../platform/errors.ts";

export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly musl: boolean;
}

export function thisMachine(): Machine {
  return { platform: process.platform, arch: process.arch, musl: process.platform === "linux" && isMusl() };
}

/** musl's loader is the sign; glibc's may be there too on a machine that can run both, and then glibc's build is right. */
function isMusl(): boolean {
  const arch = process.arch === "x64" ? "x86_64" : "aarch64";
  if (!existsSync(`/lib/ld-musl-${arch}.so.1`)) return false;
  try {
    return !["/lib64", "/lib"].some(
      (folder) => existsSync(folder) && readdirSync(folder).some((name) => /^ld-linux/.test(name)),
    );
  } catch {
    return true;
  }
}

/** The forms that a program is released in, the smaller first. The installers know them too. */
export const FORMS = ["zst", "gz"] as const;
export type Form = (typeof FORMS)[number];

/** @throws UserError for a machine that no release is built for. */
export function assetName(form: Form, machine: Machine = thisMachine()): string {
  const { platform, arch, musl } = machine;
  if (platform === "linux" && musl && arch === "x64") return `tokenix-linux-x64-musl.${form}`;
  if (platform === "linux" && !musl && (arch === "x64" || arch === "arm64")) return `tokenix-linux-${arch}.${form}`;
  if (platform === "darwin" && (arch === "x64" || arch === "arm64")) return `tokenix-darwin-${arch}.${form}`;
  if (platform === "win32" && arch === "x64") return `tokenix-windows-x64.exe.${form}`;
  throw new UserError(
    `no release is built for ${platform}-${arch}${musl ? "-musl" : ""}`,
    "build it from source: bun run build",
  );
}
