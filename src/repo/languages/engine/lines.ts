/** From offsets to 1-based lines. Only "\n" ends a line, as in tree-sitter; "\r\n" ends at its "\n". */
export type LineIndex = { lineAt(offset: number): number; startOf(line: number): number; count: number };

export function indexLines(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  let last = 0;
  return {
    count: starts.length,
    startOf: (line) => starts[line - 1] ?? text.length,
    lineAt(offset) {
      // Questions come mostly in order: try the last answer and its neighbours first.
      if ((starts[last] ?? 0) <= offset) {
        for (let step = 0; step < 4; step++) {
          if (offset < (starts[last + 1] ?? Number.POSITIVE_INFINITY)) return last + 1;
          last++;
        }
      }
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      last = low;
      return low + 1;
    },
  };
}
