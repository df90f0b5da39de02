/** Release versions: three numbers, perhaps a pre-release part. */
export interface Version {
  readonly numbers: readonly [number, number, number];
  readonly pre: string;
}

export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,64}))?$/.exec(text.trim());
  if (!match) return undefined;
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], pre: match[4] ?? "" };
}

/** True when `candidate` comes after `current`; a release comes after its own pre-releases. Unreadable versions never do. */
export function isNewer(candidate: string, current: string): boolean {
  const [a, b] = [parseVersion(candidate), parseVersion(current)];
  if (!a || !b) return false;
  for (let i = 0; i < 3; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  if (a.pre === b.pre) return false;
  if (a.pre === "" || b.pre === "") return a.pre === "";
  return a.pre.localeCompare(b.pre, "en", { numeric: true }) > 0;
}
