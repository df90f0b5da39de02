/** The run door; until the filters land it passes the command through as it is. */
export async function runDoor(args: readonly string[]): Promise<void> {
  const command = args[0] === "--" ? args.slice(1) : args;
  const child = Bun.spawn([...command], { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
  process.exitCode = await child.exited;
}
