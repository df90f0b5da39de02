/**
 * The ways in which a name is written: by people, by languages and by our own output. Everything that takes a name takes
 * all of them.
 */

/** `Type::name`, `Type#name`, `Type->name`, `Space\Type` and `Type.prototype.name` as the index has it: `Type.name`. */
export function dottedName(text: string): string {
  return text
    .trim()
    .replace(/\(\)$/, "")
    .replace(/::|->|[#\\]/g, ".")
    .replace(/\.prototype\.(?=.)/g, ".");
}

const ONE_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->|#|\\)[\p{L}_$~][\p{L}\p{N}_$]*)*[!?]?(?:\(\))?$/u;

/** Is this one name, and no question? */
export function isOneName(text: string): boolean {
  return ONE_NAME.test(text.trim());
}
