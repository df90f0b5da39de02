/** Python: dotted names from any source root above the file, relative names by their dots, packages by `__init__.py`. */

import { ancestors, dirOf, joinPath } from "./paths.ts";
import type { ModuleImport, ModuleResolver, ProjectFacts } from "./types.ts";
import { external, files } from "./types.ts";

export const resolvePython: ModuleResolver = (from, wanted, facts) => {
  const dots = /^\.+/.exec(wanted.module)?.[0].length ?? 0;
  const name = wanted.module.slice(dots);
  if (dots > 0) {
    let base: string | undefined = dirOf(from);
    for (let i = 1; i < dots && base !== undefined; i++) base = base === "" ? undefined : dirOf(base);
    return base === undefined ? external(wanted.module) : files(inRoot(base, name, wanted, facts), wanted.module);
  }
  // A script's own folder first, then each folder above it (`src` layouts are roots too).
  for (const dir of ancestors(dirOf(from)))
    for (const root of [dir, dir === "" ? "src" : `${dir}/src`, dir === "" ? "lib" : `${dir}/lib`]) {
      const found = inRoot(root, name, wanted, facts);
      if (found.length > 0) return files(found, wanted.module);
    }
  return external(name.split(".")[0] ?? name);
};

/** The module's own file, and the files of those imported names that are modules themselves. */
function inRoot(root: string, name: string, wanted: ModuleImport, facts: ProjectFacts): readonly string[] {
  const path = joinPath(root, name.replaceAll(".", "/"));
  if (path === undefined) return [];
  const found = new Set<string>();
  const own = moduleFile(path, facts);
  if (own !== undefined) found.add(own);
  if (wanted.kind === "names" || wanted.kind === "reexport")
    for (const { name: inner } of wanted.names) {
      const child = moduleFile(path === "" ? inner : `${path}/${inner}`, facts);
      if (child !== undefined) found.add(child);
    }
  return [...found];
}

function moduleFile(path: string, facts: ProjectFacts): string | undefined {
  const init = path === "" ? "__init__" : `${path}/__init__`;
  return [`${path}.py`, `${init}.py`, `${path}.pyi`, `${init}.pyi`].find((one) => facts.has(one));
}
