// The thread that reads: a query never waits for a write, and never stalls the event loop.
import { parentPort, workerData } from "node:worker_threads";
import { releaseWhenIdle } from "../idle-memory.ts";
import { createRunner, openToRead } from "./connection.ts";
import { dataDirAt } from "./data-dir.ts";
import { describeFailure, isDamage, isStatementFault } from "./failure.ts";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import { threadHeapBytesMax } from "./thread.ts";

const dir = dataDirAt((workerData as StorageThreadOptions).path);
const active = releaseWhenIdle(threadHeapBytesMax);
const say = (message: FromReader) => parentPort?.postMessage(message);

type Open = ReturnType<typeof openToRead> & { runner: ReturnType<typeof createRunner> };
let current: Open | undefined;

function open(): Open {
  if (current === undefined) {
    const opened = openToRead(dir.database);
    current = { ...opened, runner: createRunner(opened.database) };
  }
  return current;
}

function close(): void {
  current?.database.close();
  current = undefined;
}

parentPort?.on("message", (message: ToReader) => {
  if (message.type === "reopen") return close();
  if (message.type === "close") {
    close();
    return parentPort?.close();
  }
  active();
  try {
    const { rows, whole } = open().runner.page(message.statement, message.charsMax);
    say({ type: "rows", id: message.id, rows: JSON.stringify(rows), whole });
    if (current?.forOnce) close();
  } catch (error) {
    say({ type: "error", id: message.id, reason: describeFailure(error, dir.path), damaged: isDamage(error) });
    if (!isStatementFault(error)) close();
  }
});
