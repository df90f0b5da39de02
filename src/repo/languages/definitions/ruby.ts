import type { LanguageDefinition } from "../definition.ts";
import type { ImportRef } from "../types.ts";

function imports(text: string, line: number): ImportRef[] {
  const auto = /^autoload[\s(]+:(\w+),\s*["']([^"']+)["']/.exec(text);
  if (auto?.[1] && auto[2]) return [{ module: auto[2], names: [{ name: auto[1] }], line, kind: "names" }];
  const found = /^(require|require_relative|load)[\s(]+["']([^"'#]+)["']/.exec(text);
  if (found?.[2] === undefined) return [];
  // A relative one says so in its path, so that a resolver need not know the verb.
  const module = found[1] === "require_relative" && !found[2].startsWith(".") ? `./${found[2]}` : found[2];
  return [{ module, names: [], line, kind: "effect" }];
}

export default {
  id: "ruby",
  level: "edges",
  extensions: ["rb", "rake", "gemspec", "ru", "podspec", "jbuilder", "rabl", "thor", "builder"],
  filenames: [
    "Rakefile",
    "Gemfile",
    "Podfile",
    "Vagrantfile",
    "Guardfile",
    "Capfile",
    "Fastfile",
    "Brewfile",
    "Berksfile",
    "Thorfile",
    "Dangerfile",
    ".irbrc",
    ".pryrc",
  ],
  shebangs: ["ruby", "jruby", "rake", "macruby"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "ruby", file: "tree-sitter-ruby/tree-sitter-ruby.wasm" },
  signature: "line",
  imports,
  builtins: new Set(
    "private public protected private_class_method public_class_method module_function private_constant raise puts p print lambda proc loop require require_relative load autoload attr_reader attr_writer attr_accessor include extend prepend block_given? freeze __method__ __FILE__ binding".split(
      " ",
    ),
  ),
} satisfies LanguageDefinition as LanguageDefinition;
