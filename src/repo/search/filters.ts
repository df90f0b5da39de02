/**
 * `--path`, `--ext` and `--lang`, each repeatable, `!` excludes. They decide about files before anything is ranked,
 * so a filter never leaves a page empty while matches exist below it.
 */
import { EXIT, UserError } from "../../platform/errors.ts";
import { nearest } from "../../platform/nearest.ts";

export interface FilterOptions {
  /** A glob, a folder, a file, or a part of a path. */
  readonly path?: readonly string[] | undefined;
  /** `ts` or `.ts`. */
  readonly ext?: readonly string[] | undefined;
  readonly lang?: readonly string[] | undefined;
}

export type Keep = (path: string, language: string) => boolean;

interface Sides {
  readonly wanted: readonly ((path: string, language: string) => boolean)[];
  readonly unwanted: readonly ((path: string, language: string) => boolean)[];
}

/** The test for all filters together, or undefined when there is none. A language that nothing has is refused. */
export function compileFilters(options: FilterOptions, knownLanguages: () => readonly string[]): Keep | undefined {
  const groups = [
    sides(options.path ?? [], pathTest),
    sides(options.ext ?? [], (value) => {
      const ending = `.${value.replace(/^\./, "").toLowerCase()}`;
      return (path) => path.toLowerCase().endsWith(ending);
    }),
    sides(options.lang ?? [], (value) => {
      const language = languageNamed(value, knownLanguages());
      return (_, given) => given === language;
    }),
  ].filter((group) => group.wanted.length + group.unwanted.length > 0);
  if (groups.length === 0) return undefined;
  return (path, language) =>
    groups.every(
      ({ wanted, unwanted }) =>
        (wanted.length === 0 || wanted.some((test) => test(path, language))) &&
        !unwanted.some((test) => test(path, language)),
    );
}

function sides(values: readonly string[], compile: (value: string) => Keep): Sides {
  const split = values.flatMap((value) => value.split(",")).map((value) => value.trim());
  return {
    wanted: split.filter((value) => value && !value.startsWith("!")).map(compile),
    unwanted: split
      .filter((value) => value.startsWith("!") && value.length > 1)
      .map((value) => compile(value.slice(1))),
  };
}

function pathTest(value: string): Keep {
  const wanted = value.replaceAll("\\", "/").replace(/^\.\//, "").replace(/\/+$/, "");
  if (/[*?[{]/.test(wanted)) {
    const globs = [new Bun.Glob(wanted), new Bun.Glob(`**/${wanted}`), new Bun.Glob(`${wanted}/**`)];
    return (path) => globs.some((glob) => glob.match(path));
  }
  const lower = wanted.toLowerCase();
  return (path) => path.toLowerCase().includes(lower);
}

const ALIASES: Readonly<Record<string, string>> = {
  "c#": "csharp",
  cs: "csharp",
  "c++": "cpp",
  js: "javascript",
  jsx: "javascript",
  ts: "typescript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  kt: "kotlin",
  sh: "bash",
  shell: "bash",
  golang: "go",
  hs: "haskell",
  ex: "elixir",
  md: "markdown",
  yml: "yaml",
};

function languageNamed(value: string, known: readonly string[]): string {
  const wanted = value.toLowerCase();
  const found = known.find((one) => one === wanted) ?? known.find((one) => one === ALIASES[wanted]);
  if (found) return found;
  const near = nearest(wanted, [...known, ...Object.keys(ALIASES)]);
  throw new UserError(
    `the index has no files of the language '${value}'`,
    near ? `did you mean '${near}'?` : `it has: ${known.join(", ") || "none"}`,
    EXIT.usage,
  );
}
