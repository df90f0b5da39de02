/** Words that mean the object, the type or the parents around, by family of languages. */

const SELF = new Set(["self", "this", "Self", "cls", "$this", "@", "__MODULE__"]);
/** Words that mean the parents of the type around in one family only: elsewhere they are names like any other. */
const OWN_SUPER: Readonly<Record<string, string | undefined>> = { dotnet: "base", php: "parent" };

export function isSelf(word: string, family: string | undefined): boolean {
  return SELF.has(word) || (word === "static" && family === "php");
}

/** `super`, `super()` (Python), `base` (C#), `parent` (PHP). */
export function isSuper(word: string, family: string | undefined): boolean {
  return word === "super" || word === "super()" || OWN_SUPER[family ?? ""] === word;
}

/** Languages in which a bare call may mean a method of the class around it. */
export const IMPLICIT_THIS = new Set(["jvm", "dotnet", "c", "swift", "ruby", "dart", "elixir"]);
