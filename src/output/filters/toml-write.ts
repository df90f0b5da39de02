/** Text as a TOML string that reads well: literal where it can be, with escapes where it must be. */

export function tomlString(text: string, multiline = false): string {
  const isLong = multiline && (text.includes("\n") || text.length > 80);
  const needsEscapes = /[\x00-\x08\x0b-\x1f\x7f]|\r/.test(text);
  if (!needsEscapes && !text.includes("'''") && !text.endsWith("'")) {
    if (isLong) return `'''\n${text}'''`;
    if (!text.includes("'") && !text.includes("\n") && !text.includes("\t")) return `'${text}'`;
  }
  const escaped = text.replace(/["\\\x00-\x08\x0b-\x1f\x7f\r]/g, (char) => {
    const known = { '"': '\\"', "\\": "\\\\", "\r": "\\r", "\x1b": "\\u001b" }[char];
    return known ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return isLong ? `"""\n${escaped}"""` : `"${escaped.replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
