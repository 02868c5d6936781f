// Work on whole database files, in a thread of its own: it takes long, and neither games nor pages wait for it.
import { Worker } from "node:worker_threads";
import type { MadeBy } from "./backup-names.ts";
import { UnknownSchema, UnsoundDatabase } from "./failure.ts";
import type { Statement } from "./sql.ts";

/** What is done with a database that another Kit made, and what of it a person is told, counted before. */
export type Disarming = {
  readonly counts: readonly { readonly called: string; readonly count: Statement }[];
  readonly statements: readonly Statement[];
};
/** What was left out of such a database. */
export type LeftOut = { readonly called: string; readonly n: number };

export type FileWork =
  /** A checked copy of the database of that data directory, beside what is written meanwhile. Gives its path. */
  | { readonly type: "backup"; readonly dataDir: string; readonly by: MadeBy }
  /**
   * Makes `at` ready to be the database: it is copied from a file, or is there, or is made; found sound and as Kit makes it, brought
   * to the newest schema, changed by the statements, and whole in one file. Where it is refused, a copy is removed.
   */
  | {
      readonly type: "ready";
      readonly at: string;
      readonly copyOf?: string;
      readonly migrations: string;
      readonly statements: readonly Statement[];
      /** Of one that is not among the backups noted in that folder as made here. */
      readonly foreign?: Disarming & { readonly backups: string };
    }
  /**
   * Copies what can be read of the database set aside in `from` into the one of the data directory, to which `backup` was
   * restored. Gives the path of what it says of that.
   */
  | {
      readonly type: "salvage";
      readonly dataDir: string;
      readonly from: string;
      readonly backup: string | undefined;
      readonly migrations: string;
    }
  /** Writes the database of a closed data directory anew, without what was ever deleted in it. */
  | { readonly type: "rewrite"; readonly dataDir: string };

/** `leftOut`: it was another Kit's. */
export type FileMade = { readonly path: string; readonly leftOut?: readonly LeftOut[] };
export type FileWorkDone =
  | ({ readonly ok: true } & FileMade)
  | { readonly ok: false; readonly why: "unknown" | "unsound" | "failed"; readonly reason: string };

/** Resolves with what was made. Rejects with UnknownSchema, UnsoundDatabase, or what SQLite says. */
export function workOnFile(work: FileWork): Promise<FileMade> {
  const file = `./file-thread${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`;
  const thread = new Worker(new URL(file, import.meta.url), { workerData: work });
  return new Promise((resolve, reject) => {
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread ended before its work was done")));
    thread.once("message", (done: FileWorkDone) => {
      if (done.ok) resolve(done);
      else if (done.why === "unknown") reject(new UnknownSchema(done.reason));
      else if (done.why === "unsound") reject(new UnsoundDatabase(done.reason));
      else reject(new Error(done.reason));
    });
  });
}
