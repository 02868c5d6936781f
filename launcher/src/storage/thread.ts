// Starts a storage thread. Its file lies beside this one, as source or built.
import { Worker } from "node:worker_threads";
import type { StorageThreadOptions } from "./messages.ts";

/** Young garbage is collected early: the threads hold little, and the launcher's memory is the player's. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** What a thread's heap may hold once it is idle. */
export const threadHeapBytesMax = 8 * 1024 * 1024;

const names = ["writer", "reader"] as const;
type Name = (typeof names)[number];

/** By name and options. */
const ahead = new Map<string, Worker>();
const keyOf = (name: Name, { path, migrations }: StorageThreadOptions) => JSON.stringify([name, path, migrations]);

/** A thread that dies is a bug and ends the launcher: its `error` event has no listener on purpose. */
function createThread(name: Name, options: StorageThreadOptions): Worker {
  const file = `./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  return new Worker(new URL(file, import.meta.url), { workerData: options, resourceLimits });
}

/** Node takes longer to start the threads than for the rest of a start: they come up meanwhile, and touch no file before they are told to. */
export function startThreadsAhead(options: StorageThreadOptions): void {
  for (const name of names) {
    const thread = createThread(name, options);
    // A start that fails ends without them.
    thread.unref();
    ahead.set(keyOf(name, options), thread);
  }
}

/** The one that was started ahead, or a new one. */
export function startThread(name: Name, options: StorageThreadOptions): Worker {
  const key = keyOf(name, options);
  const waiting = ahead.get(key);
  ahead.delete(key);
  waiting?.ref();
  return waiting ?? createThread(name, options);
}
