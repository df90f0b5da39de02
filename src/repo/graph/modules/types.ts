/** From what an import says to the files it means. Pure: what is known of the project comes in as `ProjectFacts`. */
import type { ImportedName, ImportKind } from "../../languages/types.ts";

export interface ModuleImport {
  readonly module: string;
  readonly names: readonly ImportedName[];
  readonly kind: ImportKind;
}

export interface ProjectFacts {
  /** True for a file whose text is stored. Paths are relative to the root, with "/". */
  has(path: string): boolean;
  /** Every stored path with this last component. */
  withName(name: string): readonly string[];
  /** Stored files directly in a folder ("" is the root). */
  filesIn(dir: string): readonly string[];
  read(path: string): string | undefined;
  /** Files of the language family that say they belong to this package, namespace or module. */
  filesOfPackage(name: string, family: Family): readonly string[];
  /** What the file itself says it belongs to. */
  packageOf(path: string): string | undefined;
  /** Files that define a type or module of this name at their top. */
  filesDefining(name: string, family: Family): readonly string[];
}

/** Languages that import each other in one way. */
export type Family =
  | "ecma"
  | "python"
  | "go"
  | "rust"
  | "c"
  | "jvm"
  | "dotnet"
  | "php"
  | "ruby"
  | "lua"
  | "bash"
  | "zig"
  | "elixir"
  | "haskell"
  | "dart"
  | "swift";

export type ModuleTarget =
  /** Files of this project. More than one where a package is many files, or where several could be meant (`isGuess`). */
  | { readonly kind: "files"; readonly paths: readonly string[]; readonly isGuess?: boolean }
  /** Something outside: a library, the standard library. `name` is how it is best called. */
  | { readonly kind: "external"; readonly name: string };

export type ModuleResolver = (from: string, wanted: ModuleImport, facts: ProjectFacts) => ModuleTarget;

const FAMILIES: Readonly<Record<string, Family>> = {
  javascript: "ecma",
  jsx: "ecma",
  typescript: "ecma",
  tsx: "ecma",
  vue: "ecma",
  python: "python",
  go: "go",
  rust: "rust",
  c: "c",
  cpp: "c",
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  csharp: "dotnet",
  php: "php",
  ruby: "ruby",
  lua: "lua",
  bash: "bash",
  zig: "zig",
  elixir: "elixir",
  haskell: "haskell",
  dart: "dart",
  swift: "swift",
};

export function familyOf(language: string | null | undefined): Family | undefined {
  return language ? FAMILIES[language] : undefined;
}

export function external(name: string): ModuleTarget {
  return { kind: "external", name };
}

export function files(paths: readonly string[], name: string, isGuess = false): ModuleTarget {
  if (paths.length === 0) return external(name);
  return isGuess ? { kind: "files", paths, isGuess } : { kind: "files", paths };
}
