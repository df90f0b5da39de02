/** Whether a pattern can backtrack without bound. */
export function checkLinear(_source: string): string | undefined {
  return undefined;
}
