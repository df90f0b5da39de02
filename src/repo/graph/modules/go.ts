/** Go: an import path below a module of this project (go.mod, also several) is a folder; every file of it is the package. */
import { ancestors, dirOf } from "./paths.ts";
import { external, files, type ModuleResolver, type ProjectFacts } from "./types.ts";

export const resolveGo: ModuleResolver = (from, { module }, facts) => {
  const owner = goModules(facts)
    .filter(({ path }) => module === path || module.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (owner) {
    const below = module.slice(owner.path.length + 1);
    return files(packageFiles([owner.dir, below].filter(Boolean).join("/"), from, facts), module);
  }
  // Before modules, and in vendored trees, the path itself is a folder.
  for (const dir of ancestors(dirOf(from))) {
    const found = packageFiles([dir, "vendor", module].filter(Boolean).join("/"), from, facts);
    if (found.length > 0) return files(found, module);
  }
  return external(module);
};

function packageFiles(dir: string, from: string, facts: ProjectFacts): readonly string[] {
  return facts
    .filesIn(dir)
    .filter((path) => path.endsWith(".go") && (!path.endsWith("_test.go") || dirOf(from) === dir));
}

interface GoModule {
  readonly dir: string;
  readonly path: string;
}

function goModules(facts: ProjectFacts): readonly GoModule[] {
  return facts.withName("go.mod").flatMap((path) => {
    const name = /^\s*module\s+"?([^\s"]+)"?/m.exec(facts.read(path) ?? "")?.[1];
    return name ? [{ dir: dirOf(path), path: name }] : [];
  });
}
