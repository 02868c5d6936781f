// Starts a storage thread. Its file lies beside this one, as source or built.
import { Worker } from "node:worker_threads";
import type { StorageThreadOptions } from "./messages.ts";

/** Young garbage is collected early: the threads hold little, and the launcher's memory is the player's. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** What a thread's heap may hold once it is idle. */
export const threadHeapBytesMax = 8 * 1024 * 1024;

/** A thread that dies is a bug and ends the launcher: its `error` event has no listener on purpose. */
export function startThread(name: "writer" | "reader", options: StorageThreadOptions): Worker {
  const file = `./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  return new Worker(new URL(file, import.meta.url), { workerData: options, resourceLimits });
}
