// A lock between processes. The OS releases it when its holder ends, even by kill -9, so no lock is left behind.
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";

const busy = 5;

/** SQLite locks files on every OS. Nothing is written, and a killed process leaves no journal. */
function claims(lock: DatabaseSync): boolean {
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === busy) return false;
    throw error;
  }
}

/**
 * Runs `work` while nothing else holds `file`. Calls `onWait` once if something does. The empty file stays, because two processes
 * could otherwise hold two files of the same name.
 */
export async function whileLocked<T>(file: string, work: () => T | Promise<T>, onWait?: () => void): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const lock = new DatabaseSync(file);
  try {
    for (let round = 0; !claims(lock); round++) {
      if (round === 0) onWait?.();
      // Not in step with another process that tries.
      await setTimeout(50 + Math.random() * 100);
    }
    return await work();
  } finally {
    lock.close();
  }
}
