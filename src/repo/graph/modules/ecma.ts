/**
 * JavaScript and TypeScript: relative paths with their left-out endings, `paths` and `baseUrl` of the nearest tsconfig
 * through `extends`, workspace packages by name (with `exports`, and a built entry traced to its source), `#imports`.
 */
import { ancestors, dirOf, joinPath } from "./paths.ts";
import { external, files, type ModuleResolver, type ProjectFacts } from "./types.ts";

const ENDINGS = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".json"];
/** What a written ending may stand for: TypeScript imports by the name of what will be built. */
const SOURCE_OF: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts", ".ts"],
  ".cjs": [".cts", ".ts"],
};
const MAX_EXTENDS = 8;

export const resolveEcma: ModuleResolver = (from, { module }, facts) => {
  const bare = module.replace(/[?#].*$/, "") || module;
  if (/^\.\.?(?:\/|$)/.test(bare)) {
    const path = joinPath(dirOf(from), bare);
    return files(path === undefined ? [] : listed(probe(path, facts)), module);
  }
  if (/^(?:node|bun|https?|data|virtual|astro):/.test(bare)) return external(module);
  const aliased = byTsconfig(from, bare, facts);
  if (aliased) return files([aliased], module);
  if (bare.startsWith("#")) {
    const own = nearestPackage(from, facts);
    const target = own && pick((own.json["imports"] as Json | undefined) ?? {}, bare);
    const path = own && target ? joinPath(own.dir, target) : undefined;
    const found = path === undefined ? undefined : sourceOf(path, own?.dir ?? "", facts);
    return files(listed(found), module);
  }
  return files(listed(byWorkspace(bare, facts)), packageName(bare));
};

type Json = Record<string, unknown>;

function listed(path: string | undefined): readonly string[] {
  return path === undefined ? [] : [path];
}

/** The file that `path` means: itself, with an ending, as the source of a built name, or a folder's index. */
function probe(path: string, facts: ProjectFacts): string | undefined {
  if (facts.has(path)) return path;
  for (const ending of ENDINGS) if (facts.has(path + ending)) return path + ending;
  const written = /\.[cm]?jsx?$/.exec(path)?.[0];
  if (written)
    for (const ending of SOURCE_OF[written] ?? []) {
      const source = path.slice(0, -written.length) + ending;
      if (facts.has(source)) return source;
    }
  for (const ending of ENDINGS) {
    const index = path === "" ? `index${ending}` : `${path}/index${ending}`;
    if (facts.has(index)) return index;
  }
  return undefined;
}

interface Paths {
  /** Where the patterns are rooted. */
  readonly base: string;
  readonly patterns: readonly (readonly [string, readonly string[]])[];
  readonly hasBaseUrl: boolean;
}

function byTsconfig(from: string, module: string, facts: ProjectFacts): string | undefined {
  for (const dir of ancestors(dirOf(from))) {
    for (const name of ["tsconfig.json", "jsconfig.json", "tsconfig.base.json"]) {
      const path = dir === "" ? name : `${dir}/${name}`;
      if (!facts.has(path)) continue;
      const found = tryPaths(pathsOf(path, facts), module, facts);
      if (found) return found;
    }
  }
  return undefined;
}

function tryPaths(paths: Paths | undefined, module: string, facts: ProjectFacts): string | undefined {
  if (!paths) return undefined;
  const matches = paths.patterns
    .flatMap(([pattern, targets]) => {
      const star = pattern.indexOf("*");
      if (star < 0) return pattern === module ? [{ length: Number.MAX_SAFE_INTEGER, middle: "", targets }] : [];
      const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
      if (!module.startsWith(before) || !module.endsWith(after) || module.length < before.length + after.length)
        return [];
      return [{ length: before.length, middle: module.slice(before.length, module.length - after.length), targets }];
    })
    // TypeScript takes the pattern with the longest text before its star.
    .sort((a, b) => b.length - a.length);
  for (const { middle, targets } of matches)
    for (const target of targets) {
      const path = joinPath(
        paths.base,
        target.replace("*", () => middle),
      );
      const found = path === undefined ? undefined : probe(path, facts);
      if (found) return found;
    }
  if (!paths.hasBaseUrl) return undefined;
  const path = joinPath(paths.base, module);
  return path === undefined ? undefined : probe(path, facts);
}

/** `paths` of a config, or the nearest config that it extends; references to packages outside are not followed. */
function pathsOf(config: string, facts: ProjectFacts): Paths | undefined {
  let path: string | undefined = config;
  let baseUrl: string | undefined;
  for (let depth = 0; path !== undefined && depth < MAX_EXTENDS; depth++) {
    const json = parseJsonc(facts.read(path));
    const options = (json?.["compilerOptions"] ?? {}) as Json;
    const dir = dirOf(path);
    if (baseUrl === undefined && typeof options["baseUrl"] === "string") baseUrl = joinPath(dir, options["baseUrl"]);
    if (isObject(options["paths"])) {
      const own = typeof options["baseUrl"] === "string" ? joinPath(dir, options["baseUrl"]) : undefined;
      const patterns = Object.entries(options["paths"]).flatMap(([pattern, targets]) =>
        Array.isArray(targets) ? [[pattern, targets.filter((one) => typeof one === "string")] as const] : [],
      );
      return { base: own ?? baseUrl ?? dir, patterns, hasBaseUrl: baseUrl !== undefined };
    }
    path = extended(dir, json?.["extends"], facts);
  }
  return baseUrl === undefined ? undefined : { base: baseUrl, patterns: [], hasBaseUrl: true };
}

function extended(dir: string, value: unknown, facts: ProjectFacts): string | undefined {
  const name = Array.isArray(value) ? value[value.length - 1] : value;
  if (typeof name !== "string") return undefined;
  if (!name.startsWith(".")) {
    const found = byWorkspace(name, facts);
    return found?.endsWith(".json") ? found : undefined;
  }
  const path = joinPath(dir, name);
  if (path === undefined) return undefined;
  return [path, `${path}.json`, `${path}/tsconfig.json`].find((one) => facts.has(one));
}

interface Package {
  readonly dir: string;
  readonly json: Json;
}

function nearestPackage(from: string, facts: ProjectFacts): Package | undefined {
  for (const dir of ancestors(dirOf(from))) {
    const path = dir === "" ? "package.json" : `${dir}/package.json`;
    const json = facts.has(path) ? parseJsonc(facts.read(path)) : undefined;
    if (json) return { dir, json };
  }
  return undefined;
}

function packageName(module: string): string {
  return module.startsWith("@") ? module.split("/").slice(0, 2).join("/") : (module.split("/")[0] ?? module);
}

/** A package of this project, by the name in its package.json. */
function byWorkspace(module: string, facts: ProjectFacts): string | undefined {
  const name = packageName(module);
  const rest = module.slice(name.length).replace(/^\//, "");
  for (const path of facts.withName("package.json")) {
    const json = parseJsonc(facts.read(path));
    if (json?.["name"] !== name) continue;
    const dir = dirOf(path);
    const exported = pick(json["exports"], rest === "" ? "." : `./${rest}`);
    const entries = [
      exported,
      ...(rest === "" ? [json["source"], json["types"], json["module"], json["main"]] : [rest]),
    ];
    for (const entry of entries) {
      const target = typeof entry === "string" ? joinPath(dir, entry) : undefined;
      const found = target === undefined ? undefined : sourceOf(target, dir, facts);
      if (found) return found;
    }
    for (const guess of rest === "" ? ["src/index", "index", "lib/index"] : [`src/${rest}`]) {
      const target = joinPath(dir, guess);
      const found = target === undefined ? undefined : probe(target, facts);
      if (found) return found;
    }
  }
  return undefined;
}

/** An entry that is built (`dist/x.js`) is traced to what it is built from (`src/x.ts`). */
function sourceOf(target: string, dir: string, facts: ProjectFacts): string | undefined {
  const found = probe(target, facts);
  if (found) return found;
  const below = dir === "" ? target : target.slice(dir.length + 1);
  const match =
    /^(?:dist|lib|build|out|es|esm|cjs|types)\/(?:(?:esm|cjs|types|src)\/)?(.+?)(?:\.d)?\.[cm]?[jt]sx?$/.exec(below);
  if (!match) return undefined;
  const source = joinPath(dir, `src/${match[1]}`);
  return source === undefined ? undefined : probe(source, facts);
}

/** Node's `exports`/`imports` map: exact keys first, then the longest pattern; conditions in the order of usefulness. */
function pick(map: unknown, key: string): string | undefined {
  if (typeof map === "string") return key === "." ? map : undefined;
  if (Array.isArray(map)) return map.map((one) => pick(one, key)).find((one) => one !== undefined);
  if (!isObject(map)) return undefined;
  const keys = Object.keys(map);
  if (!keys.some((one) => one.startsWith(".") || one.startsWith("#"))) return key === "." ? condition(map) : undefined;
  if (Object.hasOwn(map, key)) return condition(map[key]);
  for (const pattern of keys.filter((one) => one.includes("*")).sort((a, b) => b.indexOf("*") - a.indexOf("*"))) {
    const star = pattern.indexOf("*");
    const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
    if (!key.startsWith(before) || !key.endsWith(after) || key.length < before.length + after.length) continue;
    const middle = key.slice(before.length, key.length - after.length);
    return condition(map[pattern])?.replace("*", () => middle);
  }
  return undefined;
}

function condition(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(condition).find((one) => one !== undefined);
  if (!isObject(value)) return undefined;
  for (const name of ["source", "bun", "development", "types", "import", "module", "require", "node", "default"]) {
    const found = condition(value[name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON with comments and trailing commas, as tsconfig files have them; undefined when it is not even that. */
export function parseJsonc(text: string | undefined): Json | undefined {
  if (text === undefined || text.length > 2_000_000) return undefined;
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : " ",
  );
  for (const candidate of [text, bare.replace(/,(\s*[}\]])/g, "$1")]) {
    try {
      const value = JSON.parse(candidate.replace(/^\uFEFF/, "")) as unknown;
      return isObject(value) ? value : undefined;
    } catch {
      // The next form, or not JSON at all.
    }
  }
  return undefined;
}
