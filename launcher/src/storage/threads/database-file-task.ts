// Runs slow operations on whole database files in a separate thread.

import { Worker } from "node:worker_threads";
import { type Message, MessageError, type MessageOrText } from "@kit/contract/message";
import type { BackupCreator } from "../backup.ts";
import { InvalidDatabase, UnknownSchema } from "../failure.ts";
import type { Statement } from "../sql.ts";

/** Statements that clean a database made by another Kit, and counts of what they remove, for the user. */
export type ForeignCleanup = {
  readonly counts: readonly { readonly table: string; readonly count: Statement }[];
  readonly statements: readonly Statement[];
};
/** Number of rows that were removed from a foreign database. */
export type OmittedRows = { readonly table: string; readonly n: number };

export type DatabaseFileTask =
  /** Makes a verified backup while the launcher keeps writing. Returns its path. */
  | { readonly type: "backup"; readonly dataDir: string; readonly by: BackupCreator }
  /**
   * Prepares `at` as the next database: copies `copyOf`, uses the existing file or creates a new one. Checks it and its schema,
   * migrates it, runs the statements, and writes everything into one file. If a copy is refused, removes it.
   */
  | {
      readonly type: "prepare";
      readonly at: string;
      readonly copyOf?: string;
      readonly migrations: string;
      readonly statements: readonly Statement[];
      /** Applied if the file is not one of the own backups recorded in the folder `backups`. */
      readonly foreign?: ForeignCleanup & { readonly backups: string };
      /** Run before the other statements unless the file is foreign. In them, `present` is the current database. */
      readonly kept?: { readonly present: string; readonly statements: readonly Statement[] };
    }
  /**
   * Copies all readable rows of the quarantined database in `from` into the restored database. `backup` is the backup that was
   * restored. Returns the path of the report. With `isUnreadable`, reads nothing of it: what the backup says of decisions is then
   * old, and not acted on.
   */
  | {
      readonly type: "salvage";
      readonly dataDir: string;
      readonly from: string;
      readonly backup: string | undefined;
      readonly migrations: string;
      readonly isUnreadable: boolean;
    }
  /** Rewrites the closed database without traces of deleted rows. */
  | { readonly type: "vacuum"; readonly dataDir: string };

/** `leftOut` is set for a database made by another Kit, `report` after a salvage. */
export type DatabaseFileResult = {
  readonly path: string;
  readonly leftOut?: readonly OmittedRows[];
  readonly report?: Message;
};
export type DatabaseFileMessage =
  | ({ readonly ok: true } & DatabaseFileResult)
  | { readonly ok: false; readonly why: "unknown" | "unsound" | "failed"; readonly reason: MessageOrText };

export type RunFileTask = (task: DatabaseFileTask) => Promise<DatabaseFileResult>;

/** Runs the operation in a new thread. Rejects with UnknownSchema, InvalidDatabase or an error with SQLite's reason. */
export const runDatabaseFileTask: RunFileTask = (task) => {
  const file = `./database-file-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const thread = new Worker(new URL(file, import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread ended before it had finished")));
    thread.once("message", (done: DatabaseFileMessage) => {
      if (done.ok) resolve(done);
      else if (done.why === "unknown") reject(new UnknownSchema(done.reason));
      else if (done.why === "unsound") reject(new InvalidDatabase(done.reason));
      else reject(new MessageError(done.reason));
    });
  });
};
