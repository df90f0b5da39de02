import type { LanguageDefinition } from "../definition.ts";

/** The `<script>` blocks of a page or component: their language, and where their text stands. */
export function scripts(text: string): { language: string; start: number; end: number }[] {
  const found: { language: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(/<script\b([^>]{0,500})>([\s\S]*?)<\/script\s*>/gi)) {
    const attributes = match[1] ?? "";
    const type = /\btype\s*=\s*["']?([\w/+.-]+)/i.exec(attributes)?.[1];
    if (type !== undefined && !/javascript|module|typescript|babel|jsx/i.test(type)) continue;
    const body = match[2] ?? "";
    if (body.trim() === "") continue;
    const start = match.index + match[0].indexOf(">", "<script".length + attributes.length) + 1;
    const lang = /\blang\s*=\s*["']?(\w+)/i.exec(attributes)?.[1]?.toLowerCase();
    const language =
      lang === "tsx" ? "tsx" : lang === "ts" || /typescript/i.test(type ?? "") ? "typescript" : "javascript";
    found.push({ language, start, end: start + body.length });
  }
  return found;
}

export default {
  id: "html",
  level: "symbols",
  extensions: [
    "html",
    "htm",
    "xht",
    "shtml",
    "jsp",
    "asp",
    "aspx",
    "cshtml",
    "razor",
    "erb",
    "ejs",
    "hbs",
    "handlebars",
    "mustache",
    "twig",
    "njk",
    "jinja",
    "j2",
    "liquid",
    "heex",
    "eex",
    "leex",
  ],
  isCode: false,
  grammar: { name: "html", file: "tree-sitter-html/tree-sitter-html.wasm" },
  symbolName: (raw) => raw.replace(/\s+/g, " ").trim(),
  embedded: scripts,
  embeds: ["javascript"],
} satisfies LanguageDefinition as LanguageDefinition;
