/** The hook's door; until the decision lands it lets everything pass. */
export async function hookDoor(_door: "hook" | "hook-post", _args: readonly string[]): Promise<void> {
  process.exitCode = 0;
}
