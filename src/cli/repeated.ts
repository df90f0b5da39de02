/** Flags that may be given more than once: citty keeps the last value only. */

/** Every value of `--name VALUE` and `--name=VALUE`, in order. */
export function valuesOf(rawArgs: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawArgs.length; at++) {
    const word = rawArgs[at] as string;
    if (word === "--") break;
    if (word === `--${name}`) {
      const value = rawArgs[++at];
      if (value !== undefined) values.push(value);
    } else if (word.startsWith(`--${name}=`)) values.push(word.slice(name.length + 3));
  }
  return values;
}
