/**
 * Prints a result without `process.stdout`, whose stream classes cost a one-shot question 3 ms. A reader that has
 * closed the pipe (`| head -1`) ends the program quietly; a full disk is told as any other error.
 */
import { EXIT } from "../platform/errors.ts";

export async function say(text: string): Promise<void> {
  if (text === "") return;
  try {
    await Bun.write(Bun.stdout, text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") process.exit(EXIT.ok);
    const { storageRefusal } = await import("../platform/storage-errors.ts");
    throw storageRefusal(error, "the output") ?? error;
  }
}
