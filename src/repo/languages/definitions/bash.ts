import { blockLines } from "../block-lines.ts";
import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

/** `source ./lib.sh`, `. "$(dirname "$0")/env.sh"`: the part of the path that the text tells. */
function imports(text: string, line: number): ImportRef[] {
  const argument = /^(?:source|\.)\s+(.*?)\s*$/.exec(text.split("\n", 1)[0] ?? "")?.[1];
  if (argument === undefined) return [];
  const path = argument
    .replace(/^\$\(.*\)|^"\$\(.*\)|^"?\$\{?\w+(?:\[[^\]]*\])?(?:[:%#/][^}]*)?\}?|^`[^`]*`/, ".")
    .replace(/["']/g, "");
  if (path === "" || path === "." || /[$`]/.test(path)) return [];
  return [{ module: path, names: [{ name: "*" }], line, kind: "wildcard" }];
}

export default {
  id: "bash",
  level: "edges",
  extensions: ["sh", "bash", "bats", "ksh", "zsh", "ebuild", "eclass", "command"],
  filenames: [
    ".bashrc",
    ".bash_profile",
    ".bash_aliases",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    "PKGBUILD",
    "APKBUILD",
  ],
  shebangs: ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "bats"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "bash", file: "tree-sitter-bash/tree-sitter-bash.wasm" },
  plainNames: true,
  imports,
  // Zsh has syntax that the grammar doesn't know; what it loses is found by its lines.
  lines: (text) =>
    blockLines(
      text,
      /^\s*(?:(?:function\s+)?([\w:.@-]+)\s*\(\)\s*(?:\{.*)?$|function\s+([\w:.@-]+)\s*\{)/,
      "}",
      "#",
      "function",
    ),
  builtins: new Set(
    "EXIT ERR INT TERM HUP DEBUG RETURN [ [[ : . alias bg bind break builtin caller cd command continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait".split(
      " ",
    ),
  ),
} satisfies LanguageDefinition as LanguageDefinition;
