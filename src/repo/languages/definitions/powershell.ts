import type { LanguageDefinition } from "../definition.ts";

export default {
  id: "powershell",
  level: "symbols",
  extensions: ["ps1", "psm1", "psd1"],
  shebangs: ["pwsh", "powershell"],
  isCode: true,
  commentPrefixes: ["#"],
  grammar: { name: "powershell", file: "@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm" },
  // `$script:Limit` and `global:Invoke-Deploy` say their scope before their name.
  symbolName: (raw) => /^\$?(?:\w+:)?([\w-]+)$/.exec(raw.replace(/^\[[^\]]*\]\s*/, ""))?.[1],
} satisfies LanguageDefinition as LanguageDefinition;
