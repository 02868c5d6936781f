// The thread that reads: a query never waits for a write, and never stalls the event loop.
import type { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { releaseWhenIdle } from "../idle-memory.ts";
import { createRunner, openConnection } from "./connection.ts";
import { dataDirAt } from "./data-dir.ts";
import { describeFailure, isDamage, isStatementFault } from "./failure.ts";
import type { FromReader, StorageThreadOptions, ToReader } from "./messages.ts";
import { threadHeapBytesMax } from "./thread.ts";

const dir = dataDirAt((workerData as StorageThreadOptions).path);
const active = releaseWhenIdle(threadHeapBytesMax);
const say = (message: FromReader) => parentPort?.postMessage(message);

type Open = { database: DatabaseSync; runner: ReturnType<typeof createRunner> };
let current: Open | undefined;

function open(): Open {
  if (current === undefined) {
    const database = openConnection(dir.database, "read");
    current = { database, runner: createRunner(database) };
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
  } catch (error) {
    say({ type: "error", id: message.id, reason: describeFailure(error), damaged: isDamage(error) });
    if (!isStatementFault(error)) close();
  }
});
