/** A worker of the indexing pool: gets batches of paths, gives records. It opens no database. */
import { messageOf } from "../../platform/errors.ts";
import { collectGarbage } from "../../platform/memory.ts";
import { adoptCode } from "../languages/engine/runtime.ts";
import { pack, type WorkerAnswer, type WorkerTask } from "./pool.ts";
import { processBatch } from "./process.ts";

declare const self: Worker;

self.onmessage = async (event: MessageEvent<WorkerTask>) => {
  const { jobs, options, roomBytes, code } = event.data;
  if (code) adoptCode(code);
  let answer: WorkerAnswer;
  try {
    answer = { processed: pack(await processBatch(jobs, options)) };
  } catch (error) {
    answer = { failure: messageOf(error) };
  }
  self.postMessage(answer);
  collectGarbage(roomBytes);
};
