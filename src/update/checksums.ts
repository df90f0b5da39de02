/** `sha256sums.txt`, as `sha256sum` writes it: a hash, two spaces (or a space and a star), a name. */
import { UserError } from "../platform/errors.ts";

/** The hash that the list names for `asset`. @throws UserError when it names none, or two that differ. */
export function checksumFor(list: string, asset: string): string {
  let found: string | undefined;
  for (const line of list.split(/\r?\n/)) {
    const match = /^([0-9a-fA-F]{64}) [ *](\S+)$/.exec(line.trim());
    if (match?.[2] !== asset) continue;
    const hash = (match[1] ?? "").toLowerCase();
    if (found !== undefined && found !== hash)
      throw new UserError(`the checksum list names two hashes for ${asset}`, "nothing was changed");
    found = hash;
  }
  if (!found) throw new UserError(`the checksum list does not name ${asset}`, "nothing was changed");
  return found;
}

/** The first of `assets` that the list names, else the last: a mirror may carry one form only. */
export function listed(list: string, assets: readonly [string, ...string[]]): string {
  const named = new Set(list.split(/\r?\n/).map((line) => /^[0-9a-fA-F]{64} [ *](\S+)$/.exec(line.trim())?.[1]));
  return assets.find((asset) => named.has(asset)) ?? assets.at(-1) ?? assets[0];
}

export function sha256Of(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
