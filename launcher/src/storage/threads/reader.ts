// The thread that reads, so that queries never wait for writes or block the event loop.
import { parentPort, workerData } from "node:worker_threads";
import { releaseMemoryWhenIdle } from "../../process/idle-memory.ts";
import { createStatementRunner, openForReading } from "../connection.ts";
import { dataDirAt } from "../data-dir.ts";
import { describeFailure, isCorruption, isStatementError } from "../failure.ts";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import { idleHeapBytesMax } from "./thread.ts";

const dir = dataDirAt((workerData as StorageThreadOptions).path);
const active = releaseMemoryWhenIdle(idleHeapBytesMax);
const send = (message: FromReader) => parentPort?.postMessage(message);

type Open = ReturnType<typeof openForReading> & { runner: ReturnType<typeof createStatementRunner> };
let current: Open | undefined;

function open(): Open {
  if (current === undefined) {
    const opened = openForReading(dir.database);
    current = { ...opened, runner: createStatementRunner(opened.database) };
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
    send({ type: "rows", id: message.id, rows: JSON.stringify(rows), whole });
    if (current?.forOnce) close();
  } catch (error) {
    send({ type: "error", id: message.id, reason: describeFailure(error, dir.path), damaged: isCorruption(error) });
    if (!isStatementError(error)) close();
  }
});
