/**
 * Rust: `mod x;` names a file beside or below its own; a `use` path is walked from its crate's root, from `self` or
 * `super`, or from another crate of the workspace, as far as modules are files: what is left names an item in the last.
 */
import { ancestors, baseOf, dirOf } from "./paths.ts";
import { external, files, type ModuleResolver, type ProjectFacts } from "./types.ts";

export const resolveRust: ModuleResolver = (from, { module, kind, names }, facts) => {
  if (kind === "submodule") return files(listed(childModule(from, module, facts)), module);
  const parts = module.split("::").filter(Boolean);
  const [first = ""] = parts;
  const start = startOf(from, first, facts);
  if (start === undefined) {
    // A path without a beginning word may start at a module that this file itself declares.
    const child = childModule(from, first, facts);
    return child === undefined ? external(first) : walk(child, parts.slice(1), names, facts, module);
  }
  let at = start;
  let rest = parts.slice(1);
  while (rest[0] === "super") {
    const up = parentModule(at, facts);
    if (up === undefined) return external(module);
    at = up;
    rest = rest.slice(1);
  }
  return walk(at, rest, names, facts, module);
};

function walk(
  start: string,
  parts: readonly string[],
  names: readonly { name: string }[],
  facts: ProjectFacts,
  module: string,
) {
  let at = start;
  for (const part of parts) {
    const next = childModule(at, part, facts);
    if (next === undefined) return files([at], module);
    at = next;
  }
  // `use crate::a::{b, c}`: an imported name may be a module of its own.
  const inner = names.flatMap(({ name }) => childModule(at, name, facts) ?? []);
  return files([...new Set([at, ...inner])], module);
}

function startOf(from: string, first: string, facts: ProjectFacts): string | undefined {
  if (first === "self") return from;
  if (first === "super") return parentModule(from, facts);
  if (first === "crate") return crateRoot(from, facts);
  for (const manifest of facts.withName("Cargo.toml")) {
    const text = facts.read(manifest) ?? "";
    const name = /^\[package\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(text)?.[1];
    const library = /^\[lib\][^[]*?^\s*name\s*=\s*"([^"]+)"/ms.exec(text)?.[1];
    if (![name, library].some((one) => one?.replaceAll("-", "_") === first)) continue;
    const path = /^\[lib\][^[]*?^\s*path\s*=\s*"([^"]+)"/ms.exec(text)?.[1] ?? "src/lib.rs";
    const root = [dirOf(manifest), path].filter(Boolean).join("/");
    if (facts.has(root)) return root;
  }
  return undefined;
}

/** The file that the crate of `from` begins with: the nearest lib.rs or main.rs above, or a target's own file. */
function crateRoot(from: string, facts: ProjectFacts): string | undefined {
  const dir = dirOf(from);
  if (/(?:^|\/)(?:src\/bin|examples|tests|benches)$/.test(dir)) return from;
  for (const at of ancestors(dir))
    for (const name of ["lib.rs", "main.rs"]) {
      const path = at === "" ? name : `${at}/${name}`;
      if (facts.has(path)) return path;
    }
  return undefined;
}

/** Where the modules declared in a file are looked for. */
function moduleDir(path: string): string {
  const base = baseOf(path);
  if (base === "mod.rs" || base === "lib.rs" || base === "main.rs" || base === "build.rs") return dirOf(path);
  return path.slice(0, -".rs".length);
}

function childModule(parent: string, name: string, facts: ProjectFacts): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const dir = moduleDir(parent);
  const prefix = dir === "" ? "" : `${dir}/`;
  return [`${prefix}${name}.rs`, `${prefix}${name}/mod.rs`].find((path) => path !== parent && facts.has(path));
}

function parentModule(path: string, facts: ProjectFacts): string | undefined {
  const dir = baseOf(path) === "mod.rs" ? dirOf(dirOf(path)) : dirOf(path);
  const prefix = dir === "" ? "" : `${dir}/`;
  const candidates = [`${prefix}mod.rs`, ...(dir === "" ? [] : [`${dir}.rs`]), `${prefix}lib.rs`, `${prefix}main.rs`];
  return candidates.find((one) => one !== path && facts.has(one));
}

function listed(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path];
}
