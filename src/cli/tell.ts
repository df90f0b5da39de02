/**
 * Messages to people, on stderr. On a terminal consola sets them off from the result by colour and a mark; an agent or a
 * pipe gets one plain line, and never pays for loading it (30 ms). Results don't come here: they go to stdout.
 */
export type Tone = "error" | "warn" | "info";

export async function tell(tone: Tone, message: string, hint?: string): Promise<void> {
  const { isatty } = await import("node:tty");
  if (!isatty(2) || process.env["TERM"] === "dumb") {
    console.error(`tokenix: ${message}${hint ? `\n  ${hint}` : ""}`);
    return;
  }
  const { createConsola } = await import("consola");
  const people = createConsola({
    level: 3,
    stdout: process.stderr,
    stderr: process.stderr,
    formatOptions: { date: false },
  });
  people[tone](hint ? `${message}\n  ${hint}` : message);
}
