/** One entry for every language: which files an import means, or that it means something outside. */
import { resolveBash, resolveC, resolveDart, resolveLua, resolveRuby, resolveZig } from "./by-path.ts";
import { resolveEcma } from "./ecma.ts";
import { resolveGo } from "./go.ts";
import { resolveDotnet, resolveElixir, resolveHaskell, resolveJvm, resolvePhp, resolveSwift } from "./named.ts";
import { resolvePython } from "./python.ts";
import { resolveRust } from "./rust.ts";
import {
  external,
  type Family,
  type ModuleImport,
  type ModuleResolver,
  type ModuleTarget,
  type ProjectFacts,
} from "./types.ts";

export { type Family, familyOf, type ModuleImport, type ModuleTarget, type ProjectFacts } from "./types.ts";

const RESOLVERS: Readonly<Record<Family, ModuleResolver>> = {
  ecma: resolveEcma,
  python: resolvePython,
  go: resolveGo,
  rust: resolveRust,
  c: resolveC,
  jvm: resolveJvm,
  dotnet: resolveDotnet,
  php: resolvePhp,
  ruby: resolveRuby,
  lua: resolveLua,
  bash: resolveBash,
  zig: resolveZig,
  elixir: resolveElixir,
  haskell: resolveHaskell,
  dart: resolveDart,
  swift: resolveSwift,
};

export function resolveModule(from: string, wanted: ModuleImport, family: Family, facts: ProjectFacts): ModuleTarget {
  if (wanted.kind === "package" || wanted.module.length > 1024) return external(wanted.module);
  return RESOLVERS[family](from, wanted, facts);
}
