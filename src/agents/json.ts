/** JSON from outside, looked at without trust: a missing or odd field is undefined, never an exception. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A count or line number; some agents send it as text. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A flag; some agents send it as text. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "true") return true;
  return value === "false" ? false : undefined;
}

/** The first of `keys` that is there and is text. */
export function firstText(from: JsonObject, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = from[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

export function firstNumber(from: JsonObject, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const value = numberOf(from[key]);
    if (value !== undefined) return value;
  }
  return undefined;
}

export function objectOf(value: unknown): JsonObject | undefined {
  if (isObject(value)) return value;
  // An object sent as text, as Copilot does with its arguments; twice over has been seen too.
  if (typeof value === "string") {
    const inner = parseLoose(value);
    return isObject(inner) ? inner : undefined;
  }
  return undefined;
}

export function listOf(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

const NESTING = 3;

/** Parses text that may carry byte-order marks, or be a JSON string that holds JSON. Undefined when it is no JSON. */
export function parseLoose(text: string): JsonValue | undefined {
  let value: JsonValue | undefined = text;
  for (let depth = 0; depth < NESTING && typeof value === "string"; depth++) {
    let start = 0;
    while (value.charCodeAt(start) === 0xfeff) start++;
    try {
      value = JSON.parse(start === 0 ? value : value.slice(start)) as JsonValue;
    } catch {
      return undefined;
    }
  }
  return value;
}
