/** Matches portions of texts away from the main thread, so that a pattern that never ends can be ended. */
import type { WorkerReply, WorkerRequest } from "./grep.ts";
import { matchFile, textOf } from "./grep-match.ts";

declare const self: Worker;

self.onmessage = (event: MessageEvent<WorkerRequest>) => {
  const { task, portion, limit } = event.data;
  const match = matchFile(task);
  const reply: { path: string; found: ReturnType<typeof match> }[] = [];
  let left = limit;
  for (const { path, bytes } of portion) {
    const found = match(textOf(bytes), left);
    if (found.length > 0) reply.push({ path, found });
    left -= found.length;
    if (left <= 0) break;
  }
  self.postMessage(reply satisfies WorkerReply);
};
