/**
 * Cuts source text into training pairs: a doc comment and the code after it, a long name and its body, a file's name
 * and its beginning, a commit's subject and the hunk that it changed. Line-based on purpose: a comment looks the same
 * in all nineteen languages, and a parser would only see those that it knows.
 */
import { splitIdentifier } from "../../src/repo/search/tokenize.ts";

export type PairKind = "comment" | "name" | "file" | "commit";

export interface Pair {
  readonly kind: PairKind;
  readonly language: string;
  readonly path: string;
  readonly query: string;
  readonly code: string;
}

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  bash: ["sh", "bash", "zsh"],
  c: ["c", "h"],
  cpp: ["cc", "cpp", "cxx", "hpp", "hh", "hxx"],
  csharp: ["cs"],
  elixir: ["ex", "exs"],
  go: ["go"],
  haskell: ["hs"],
  java: ["java"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  kotlin: ["kt", "kts"],
  lua: ["lua"],
  php: ["php"],
  python: ["py"],
  ruby: ["rb"],
  rust: ["rs"],
  scala: ["scala"],
  swift: ["swift"],
  typescript: ["ts", "tsx", "mts"],
  zig: ["zig"],
};
const LANGUAGE_OF = new Map(
  Object.entries(LANGUAGES).flatMap(([language, endings]) => endings.map((ending) => [ending, language] as const)),
);

/** Folders and files that hold other projects, machine-made text or data. */
const LEFT_OUT =
  /(^|\/)(vendor|vendored|_vendor|third[_-]?party|external|externals|extern|deps|subprojects|node_modules|grammars?|fixtures?|testdata|test-data|snapshots?|generated|gen|migrations|locales?|i18n|bundled|min|umd|amd|esm5|fesm\d+|types)(\/|$)|\.min\.|\.d\.[cm]?ts$|_pb2|\.pb\.|_generated|\.g\.|\.designer\.|parser\.c$/i;

export function languageOfSource(path: string): string | undefined {
  if (LEFT_OUT.test(path)) return undefined;
  return LANGUAGE_OF.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase());
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/g;
const BOILERPLATE =
  /copyright|licen[sc]e|spdx|all rights|\btodo\b|fixme|eslint|prettier|noqa|type: ignore|pylint|rubocop|swiftlint|istanbul|@ts-|clang-format|nolint|auto-?generated|do not edit|coding: utf/i;
const MAX_QUERY = 400;
const MAX_CODE = 1500;
const BODY_LINES = 30;

function cleanComment(text: string): string {
  return text
    .replace(/^\s*(\/\/\/?|\/\/!|#+!?|--+\|?|;+|\*+|\/\*+!?|\{-\|?|-\})\s?/gm, "")
    .replace(/<\/?[a-z][^>]*>/gi, " ")
    .replace(/\{@\w+ ?|\*\/|-\}|```\w*|@(param|return|returns|throws|type|see|link|since|author)\b.*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const HASH = new Set(["python", "ruby", "bash", "elixir"]);
const DASH = new Set(["lua", "haskell"]);

export function pairsOfFile(path: string, text: string): Pair[] {
  const language = languageOfSource(path);
  if (!language) return [];
  const pairs: Pair[] = [];
  const lines = text.split("\n");
  const add = (kind: PairKind, query: string, code: string): void => {
    const asked = query.slice(0, MAX_QUERY);
    if ((asked.match(WORD)?.length ?? 0) < 3 || code.length < 60 || BOILERPLATE.test(asked)) return;
    pairs.push({ kind, language, path, query: asked, code: code.slice(0, MAX_CODE) });
  };
  const lead = HASH.has(language) ? "#" : DASH.has(language) ? "--" : "//";
  for (let at = 0; at < lines.length; ) {
    const line = (lines[at] ?? "").trimStart();
    let end = at;
    if (line.startsWith("/*") || line.startsWith("{-")) {
      const close = line.startsWith("/*") ? "*/" : "-}";
      while (end < lines.length && !(lines[end] ?? "").includes(close)) end++;
      end++;
    } else if (line.startsWith(lead) && !line.startsWith("#include") && !line.startsWith("#!")) {
      while (end < lines.length && (lines[end] ?? "").trimStart().startsWith(lead)) end++;
    } else {
      at++;
      continue;
    }
    if (end < lines.length && (lines[end] ?? "").trim() && end - at < 40)
      add("comment", cleanComment(lines.slice(at, end).join("\n")), lines.slice(end, end + BODY_LINES).join("\n"));
    at = Math.max(end, at + 1);
  }
  if (language === "python")
    for (const hit of text.matchAll(
      /^[ \t]*(?:async )?(?:def|class)\s+\w+[^\n]*(?:\n[^\n]*?){0,8}?:\s*\n\s*[rf]?"""([\s\S]{10,1500}?)"""/gm,
    )) {
      const end = hit.index + hit[0].length;
      add(
        "comment",
        cleanComment((hit[1] ?? "").split(/\n\s*\n/)[0] ?? ""),
        hit[0].split('"""')[0] + text.slice(end, end + MAX_CODE),
      );
    }
  if (language === "elixir")
    for (const hit of text.matchAll(/@(?:module)?doc\s+(?:~S)?"""\n([\s\S]{10,3000}?)\n\s*"""/g)) {
      const end = hit.index + hit[0].length;
      add("comment", cleanComment((hit[1] ?? "").split(/\n\s*\n/)[0] ?? ""), text.slice(end, end + MAX_CODE));
    }
  for (const hit of text.matchAll(
    /(?:^|\s)(?:defp?|func|fn|function|fun|sub|class|struct|interface|trait|module|val|let|const|object)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_][\w.:]{9,})/g,
  )) {
    const words = splitIdentifier((hit[1] ?? "").replace(/[.:]+/g, "_"));
    const end = hit.index + hit[0].length;
    if (words.length >= 3) add("name", words.join(" "), text.slice(end, end + 1000));
  }
  const stem = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const folder = path.split("/").at(-2) ?? "";
  const named = splitIdentifier(`${folder}_${stem}`.replace(/\W/g, "_"));
  if (named.length >= 2 && text.length > 400) {
    const middle = Math.min(Math.max(0, text.length - MAX_CODE), Math.floor(text.length / 3));
    add("file", named.join(" "), text.slice(middle, middle + MAX_CODE));
  }
  return pairs;
}

/** Pairs of `git log -p` output with `%x01%s%x02` before each commit's patch. */
export function pairsOfLog(log: string): Pair[] {
  const pairs: Pair[] = [];
  for (const commit of log.split("\x01").slice(1)) {
    const [subject = "", patch = ""] = commit.split("\x02");
    const query = subject.replace(/\(#\d+\)|#\d+|^\w+(\([^)]*\))?!?:\s*|\[[^\]]*\]/g, " ").trim();
    if ((query.match(WORD)?.length ?? 0) < 4) continue;
    if (
      /^(merge|revert|bump|release|version|update (changelog|depend)|prepare|fix (typo|lint|ci)|chore|format)/i.test(
        query,
      ) ||
      BOILERPLATE.test(query)
    )
      continue;
    const files = patch.split(/^diff --git /m).slice(1);
    if (files.length > 6) continue;
    let taken = 0;
    for (const file of files) {
      const path = file.match(/^\+\+\+ b\/(.+)$/m)?.[1];
      const language = path && languageOfSource(path);
      if (!path || !language || /(^|\/)(tests?|specs?)(\/|$)|test|spec/i.test(path)) continue;
      const hunks = file
        .split(/^@@ .*?@@/m)
        .slice(1)
        .sort((a, b) => b.length - a.length);
      const hunk = hunks[0]
        ?.split("\n")
        .filter((line) => !line.startsWith("-"))
        .map((line) => line.slice(1))
        .join("\n");
      if (!hunk || hunk.length < 100) continue;
      pairs.push({ kind: "commit", language, path, query: query.slice(0, MAX_QUERY), code: hunk.slice(0, MAX_CODE) });
      if (++taken >= 2) break;
    }
  }
  return pairs;
}
