/**
 * Where releases come from. One repository, stamped into the build; a team may name a mirror of its own
 * (`TOKENIX_MIRROR`), which must be HTTPS, or plain HTTP on this very machine.
 */
import { UserError } from "../platform/errors.ts";
import type { Environment } from "../platform/paths.ts";

declare const TOKENIX_REPOSITORY: string | undefined;

export const REPOSITORY: string = typeof TOKENIX_REPOSITORY === "string" ? TOKENIX_REPOSITORY : "tokenix/tokenix";

export const CHECKSUMS = "sha256sums.txt";

export interface ReleaseSource {
  /** Answers with the release's JSON. */
  apiUrl(tag: string | undefined): string;
  /** Where an asset of a release lies; only addresses below this are ever downloaded from. */
  assetUrl(tag: string, asset: string): string;
  readonly isMirror: boolean;
}

export function releaseSource(env: Environment = process.env): ReleaseSource {
  const mirror = env["TOKENIX_MIRROR"]?.replace(/\/+$/, "");
  if (!mirror)
    return {
      apiUrl: (tag) =>
        `https://api.github.com/repos/${REPOSITORY}/releases/${tag ? `tags/${encodeURIComponent(tag)}` : "latest"}`,
      assetUrl: (tag, asset) =>
        `https://github.com/${REPOSITORY}/releases/download/${encodeURIComponent(tag)}/${asset}`,
      isMirror: false,
    };
  if (!isSafeAddress(mirror))
    throw new UserError(`TOKENIX_MIRROR is '${mirror}'`, "it must begin with https:// (http:// only for this machine)");
  return {
    apiUrl: (tag) => `${mirror}/${tag ? `tags/${encodeURIComponent(tag)}` : "latest"}.json`,
    assetUrl: (tag, asset) => `${mirror}/download/${encodeURIComponent(tag)}/${asset}`,
    isMirror: true,
  };
}

/** HTTPS without credentials in it, or HTTP to a loopback address. */
export function isSafeAddress(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  if (url.username || url.password) return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && /^(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname);
}
