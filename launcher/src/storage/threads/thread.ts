// Starts the storage threads.
import { Worker } from "node:worker_threads";
import type { StorageThreadOptions } from "./messages.ts";

/** A small young generation keeps the memory usage of the threads low. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** Maximum heap size of an idle thread. */
export const idleHeapBytesMax = 8 * 1024 * 1024;

const names = ["writer", "reader"] as const;
type Name = (typeof names)[number];

/** Prestarted threads by name and options. */
const prestarted = new Map<string, Worker>();
const threadKey = (name: Name, { path, migrations }: StorageThreadOptions) => JSON.stringify([name, path, migrations]);

/** The thread has no `error` listener on purpose: a crash of the thread is a bug and must end the launcher. */
function createThread(name: Name, options: StorageThreadOptions): Worker {
  const file = `./${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  return new Worker(new URL(file, import.meta.url), { workerData: options, resourceLimits });
}

/** Starts the threads early, because that takes longer than the rest of a start. They open no file until told to. */
export function prestartStorageThreads(options: StorageThreadOptions): void {
  for (const name of names) {
    const thread = createThread(name, options);
    // The threads must not keep the process alive if the start fails.
    thread.unref();
    prestarted.set(threadKey(name, options), thread);
  }
}

/** Returns the prestarted thread, or starts a new one. */
export function startStorageThread(name: Name, options: StorageThreadOptions): Worker {
  const key = threadKey(name, options);
  const waiting = prestarted.get(key);
  prestarted.delete(key);
  waiting?.ref();
  return waiting ?? createThread(name, options);
}
