/** Path arithmetic on project-relative paths with "/". */

export function dirOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Joins and normalises; undefined when it leaves the project. */
export function joinPath(dir: string, relative: string): string | undefined {
  const parts = dir === "" ? [] : dir.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/** The folder and all above it, nearest first, "" last. */
export function* ancestors(dir: string): Generator<string> {
  for (let at = dir; ; at = dirOf(at)) {
    yield at;
    if (at === "") return;
  }
}

/** Of paths that all end alike, those that share the most leading folders with `from`; a tie keeps them all. */
export function nearestTo(from: string, paths: readonly string[]): readonly string[] {
  if (paths.length < 2) return paths;
  const own = dirOf(from).split("/");
  let best = -1;
  let found: string[] = [];
  for (const path of paths) {
    const parts = dirOf(path).split("/");
    let shared = 0;
    while (shared < own.length && shared < parts.length && own[shared] === parts[shared]) shared++;
    if (shared > best) {
      best = shared;
      found = [path];
    } else if (shared === best) found.push(path);
  }
  return found;
}
