// The worker thread for operations on whole database files; see database-file-task.ts.

import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { describeFailure, InvalidDatabase, UnknownSchema } from "../failure.ts";
import { runDatabaseFileOperation } from "./database-file-operations.ts";
import type { DatabaseFileMessage, DatabaseFileTask } from "./database-file-task.ts";

const folderOf = (task: DatabaseFileTask) => (task.type === "prepare" ? dirname(task.at) : task.dataDir);

async function runAndReport(task: DatabaseFileTask): Promise<DatabaseFileMessage> {
  try {
    return { ok: true, ...(await runDatabaseFileOperation(task)) };
  } catch (error) {
    if (error instanceof UnknownSchema) return { ok: false, why: "unknown", reason: error.detail };
    if (error instanceof InvalidDatabase) return { ok: false, why: "unsound", reason: error.detail };
    return { ok: false, why: "failed", reason: describeFailure(error, folderOf(task)) };
  }
}

parentPort?.postMessage(await runAndReport(workerData as DatabaseFileTask));
