// The only thread that writes. Handles one message after another: commits each batch in one transaction, and answers after COMMIT.

import { parentPort, workerData } from "node:worker_threads";
import { releaseMemoryWhenIdle } from "../../process/idle-memory.ts";
import { DatabaseWriter } from "./database-writer.ts";
import { createBatchUnpacker, type FromWriter, type StorageThreadOptions, type ToWriter } from "./messages.ts";
import { idleHeapBytesMax } from "./thread.ts";

/** How often the files are checked while nothing is written. */
const checkFilesMs = 1_000;
const firstBackupCheckMs = 60_000;
const backupCheckMs = 3_600_000;

const unpack = createBatchUnpacker();
const active = releaseMemoryWhenIdle(idleHeapBytesMax);
const send = (message: FromWriter) => parentPort?.postMessage(message);
const writer = new DatabaseWriter({ ...(workerData as StorageThreadOptions), send });
/** The newest task. Each task starts when the one before it has ended. */
let lastTask: Promise<void> = Promise.resolve();
let backingUp: Promise<void> = Promise.resolve();

const enqueue = (task: () => Promise<void>) => {
  lastTask = lastTask.then(task);
};
const commit = (batch: string) => {
  active();
  return writer.commit(unpack(batch));
};
const close = async () => {
  await backingUp;
  await writer.close();
  send({ type: "closed" });
  parentPort?.close();
};
/** A backup waits for the tasks before it. Later tasks do not wait for the backup. */
const scheduleBackup = () => {
  backingUp = lastTask.then(() => writer.backUp());
};

parentPort?.on("message", (message: ToWriter) => {
  if (message.type === "open") enqueue(() => writer.start());
  if (message.type === "commit") enqueue(() => commit(message.batch));
  if (message.type === "try") enqueue(() => writer.retryWrite());
  if (message.type === "check") enqueue(() => writer.checkDamage());
  if (message.type === "close") enqueue(close);
});
setInterval(() => enqueue(() => writer.checkFiles()), checkFilesMs).unref();
setTimeout(scheduleBackup, firstBackupCheckMs).unref();
setInterval(scheduleBackup, backupCheckMs).unref();
