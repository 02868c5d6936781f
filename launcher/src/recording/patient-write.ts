// Writes what has to be said of clips that exist: again and again while the storage fails, until the launcher ends.
import { setTimeout as pause } from "node:timers/promises";
import { KitError } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";

type Write = (...statements: Statement[]) => Promise<void>;

const firstPauseMs = 500;
const pauseMsMax = 30_000;

/**
 * Rejects when `ended` is aborted: what could not be written then is found out anew at the next start. Rejects at once
 * for what no waiting mends: a statement the database refuses is a bug.
 */
export function patientWrite(write: Write, ended: AbortSignal, onFailure: (error: unknown) => void): Write {
  return async (...statements) => {
    if (statements.length === 0) return;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
      try {
        return await write(...statements);
      } catch (error) {
        onFailure(error);
        if (ended.aborted || !(error instanceof KitError)) throw error;
        await pause(pauseMs, undefined, { signal: ended }).catch(() => undefined);
      }
    }
  };
}
