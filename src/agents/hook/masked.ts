/** Credentials out of a result on its way to the model, with one line that says so: a mask is not the literal text. */
import { REDACTED, redactCredentials } from "../../platform/redact.ts";

export function masked(text: string): string {
  const clean = redactCredentials(text);
  if (clean === text) return text;
  const count = clean.split(REDACTED).length - text.split(REDACTED).length;
  const note = `[tokenix: ${count} credential${count === 1 ? "" : "s"} masked as ${REDACTED}; that is not the literal text]`;
  return `${clean}${clean.endsWith("\n") || clean === "" ? "" : "\n"}${note}`;
}
