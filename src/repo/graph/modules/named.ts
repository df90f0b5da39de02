/**
 * Languages whose imports name packages, namespaces or modules, which files declare for themselves: JVM languages,
 * C#, PHP, Elixir, Haskell, Swift. A file is found by what it declares, then by where such a name usually lies.
 */
import { baseOf, dirOf, joinPath, nearestTo } from "./paths.ts";
import { type Family, files, type ModuleResolver, type ProjectFacts } from "./types.ts";

/** `import a.b.C` is class C of package a.b; `import a.b.C.m` a member of it; `import a.b.*` every file of a.b. */
export const resolveJvm: ModuleResolver = (_from, { module, names, kind }, facts) => {
  if (kind === "wildcard") {
    const whole = facts.filesOfPackage(module, "jvm");
    return whole.length > 0 ? files(whole, module) : files(classFiles(module, facts, "jvm", "."), module);
  }
  const found = new Set<string>();
  for (const { name } of names.length > 0 ? names : [{ name: "*" }])
    for (const path of name === "*"
      ? classFiles(module, facts, "jvm", ".")
      : definedIn(module, name, facts, "jvm", "."))
      found.add(path);
  return files([...found], module);
};

export const resolveDotnet: ModuleResolver = (_from, { module }, facts) => {
  const whole = facts.filesOfPackage(module, "dotnet");
  return whole.length > 0 ? files(whole, module) : files(classFiles(module, facts, "dotnet", "."), module);
};

export const resolvePhp: ModuleResolver = (from, { module, names, kind }, facts) => {
  if (kind === "effect" || kind === "include" || kind === "dynamic") {
    const path = joinPath(dirOf(from), module) ?? module;
    return files(facts.has(path) ? [path] : nearestTo(from, withSuffix(module, facts)), module);
  }
  const namespace = module.replace(/^\\/, "");
  const found = new Set<string>();
  for (const { name } of names) for (const path of definedIn(namespace, name, facts, "php", "\\")) found.add(path);
  return files([...found], namespace);
};

/** `alias Shop.Item` names a module; `alias Shop.{Item, Repo}` several below one. */
export const resolveElixir: ModuleResolver = (_from, { module, names, kind }, facts) => {
  const wanted = kind === "names" ? [module, ...names.map(({ name }) => `${module}.${name}`)] : [module];
  return files([...new Set(wanted.flatMap((name) => facts.filesDefining(name, "elixir")))], module);
};

export const resolveHaskell: ModuleResolver = (from, { module }, facts) => {
  const declared = facts.filesOfPackage(module, "haskell");
  return files(
    declared.length > 0 ? declared : nearestTo(from, withSuffix(`${module.replaceAll(".", "/")}.hs`, facts)),
    module,
  );
};

/** A module of Swift is a target: the folder of that name below Sources, as the package manager lays it out. */
export const resolveSwift: ModuleResolver = (_from, { module }, facts) => {
  const name = module.split(".")[0] ?? module;
  const found = [`Sources/${name}`, `Source/${name}`, `Sources`, name].map((dir) =>
    facts.filesIn(dir).filter((path) => path.endsWith(".swift")),
  );
  const own = found[0] ?? [];
  return files(own, name);
};

/** The files in which the last part of a dotted name is a type of the package before it. */
function classFiles(name: string, facts: ProjectFacts, family: Family, separator: string): readonly string[] {
  const at = name.lastIndexOf(separator);
  if (at < 0) return [];
  return definedIn(name.slice(0, at), name.slice(at + separator.length), facts, family, separator);
}

function definedIn(
  container: string,
  name: string,
  facts: ProjectFacts,
  family: Family,
  separator: string,
): readonly string[] {
  const own = facts.filesOfPackage(container, family);
  if (own.length > 0) {
    const defining = new Set(facts.filesDefining(name, family));
    const found = own.filter((path) => defining.has(path));
    if (found.length > 0) return found;
    const byName = own.filter((path) => baseOf(path).replace(/\.\w+$/, "") === name);
    return byName.length > 0 ? byName : [];
  }
  // `a.b.Outer.Inner`, `a.b.Class.member`: the container may be a class itself.
  const at = container.lastIndexOf(separator);
  return at < 0 ? [] : classFiles(container, facts, family, separator);
}

/** Files whose path ends with `suffix` at a folder border. */
export function withSuffix(suffix: string, facts: ProjectFacts): readonly string[] {
  const bare = suffix.replace(/^(?:\.{0,2}\/)+/, "");
  return facts.withName(baseOf(bare)).filter((path) => path === bare || path.endsWith(`/${bare}`));
}
