// A write of a clip's state that tries again while the disk is full.
import { setTimeout as pause } from "node:timers/promises";
import { KitError } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";

type Write = (...statements: Statement[]) => Promise<void>;

const firstPauseMs = 500;
const pauseMsMax = 30_000;

/**
 * Returns a write that tries again until it succeeds. It rejects once `ended` is aborted, because the next start recovers the
 * clips, and at once with any error but a KitError: a statement that the database refuses is a bug.
 */
export function createRetryingWrite(write: Write, ended: AbortSignal, onFailure: (error: unknown) => void): Write {
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
