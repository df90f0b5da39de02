/** Languages whose imports are file names, more or less: C and C++, Ruby, Lua, shell, Zig, Dart. */

import { withSuffix } from "./named.ts";
import { ancestors, dirOf, joinPath, nearestTo } from "./paths.ts";
import { external, files, type ModuleResolver, type ProjectFacts } from "./types.ts";

/** Quotes look beside the file first; both forms then search include folders, which only a build knows: by suffix. */
export const resolveC: ModuleResolver = (from, { module, kind }, facts) => {
  const beside = joinPath(dirOf(from), module);
  if (kind === "include" && beside !== undefined && facts.has(beside)) return files([beside], module);
  for (const dir of ancestors(dirOf(from)))
    for (const folder of ["", "include", "inc", "src"]) {
      const path = joinPath([dir, folder].filter(Boolean).join("/"), module);
      if (path !== undefined && facts.has(path)) return files([path], module);
    }
  const found = nearestTo(from, withSuffix(module, facts));
  // `<stdio.h>` is not some stdio.h deep in the tree: a system include needs a folder in its name to be ours.
  if (kind === "include-system" && !module.includes("/")) return external(module);
  return files(found, module, found.length > 1);
};

export const resolveRuby: ModuleResolver = (from, { module }, facts) => {
  const name = module.endsWith(".rb") ? module : `${module}.rb`;
  if (/^\.\.?\//.test(name)) {
    const path = joinPath(dirOf(from), name);
    return files(path !== undefined && facts.has(path) ? [path] : [], module);
  }
  for (const dir of ancestors(dirOf(from)))
    for (const root of ["lib", "app", ""]) {
      const path = joinPath([dir, root].filter(Boolean).join("/"), name);
      if (path !== undefined && path !== from && facts.has(path)) return files([path], module);
    }
  const found = nearestTo(from, withSuffix(`lib/${name}`, facts));
  return files(found, module, found.length > 1);
};

export const resolveLua: ModuleResolver = (from, { module }, facts) => {
  const path = module.replaceAll(".", "/");
  for (const suffix of [`${path}.lua`, `${path}/init.lua`]) {
    const found = nearestTo(from, withSuffix(suffix, facts));
    if (found.length > 0) return files(found, module, found.length > 1);
  }
  return external(module);
};

/** `source "$DIR/x.sh"`: what an expansion stands for is not known, what follows it is. */
export const resolveBash: ModuleResolver = (from, { module }, facts) => {
  const tail = module.replace(/^.*[$`}]\w*\/?/, "");
  const literal = tail === module;
  const beside = joinPath(dirOf(from), literal ? module : tail);
  if (beside !== undefined && facts.has(beside)) return files([beside], module);
  if (literal) {
    const rooted = joinPath("", module);
    if (rooted !== undefined && facts.has(rooted)) return files([rooted], module);
  }
  const found = tail === "" ? [] : nearestTo(from, withSuffix(tail, facts));
  return files(found, module, found.length > 1 || !literal);
};

export const resolveZig: ModuleResolver = (from, { module }, facts) => {
  if (!module.endsWith(".zig")) {
    // A name that build.zig gives: a file or folder of that name is a fair guess.
    const found = [`src/${module}.zig`, `src/root.zig`, `lib/${module}/${module}.zig`].filter(
      (path, i) => i !== 1 && facts.has(path),
    );
    return files(found.slice(0, 1), module, true);
  }
  const path = joinPath(dirOf(from), module);
  return files(path !== undefined && facts.has(path) ? [path] : [], module);
};

export const resolveDart: ModuleResolver = (from, { module }, facts) => {
  if (module.startsWith("dart:")) return external(module);
  const own = /^package:([^/]+)\/(.+)$/.exec(module);
  if (!own) {
    const path = joinPath(dirOf(from), module);
    return files(path !== undefined && facts.has(path) ? [path] : [], module);
  }
  const [, name = "", rest = ""] = own;
  return files(
    dartPackages(facts)
      .flatMap((one) => (one.name === name ? [joinPath(one.dir, `lib/${rest}`) ?? ""] : []))
      .filter((path) => facts.has(path)),
    name,
  );
};

function dartPackages(facts: ProjectFacts): readonly { dir: string; name: string }[] {
  return facts.withName("pubspec.yaml").flatMap((path) => {
    const name = /^name:\s*["']?([\w-]+)/m.exec(facts.read(path) ?? "")?.[1];
    return name ? [{ dir: dirOf(path), name }] : [];
  });
}
