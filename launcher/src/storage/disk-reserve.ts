// Releases the disk reserve when the disk is full, and restores it when there is space again.
import type { DataDir } from "./data-dir.ts";
import { ensureReserve, releaseReserve } from "./disk-space.ts";
import { classifyFailure } from "./failure.ts";
import type { StorageFailure } from "./threads/messages.ts";

export type DiskReserve = {
  /** The failure to report while the disk is full and the reserve is released. */
  current(): StorageFailure | undefined;
  /** Runs the action. If the disk is full, releases the reserve and runs it again. */
  runWithReserve<T>(open: () => Promise<T>): Promise<T>;
  /** Converts an error to a failure. Releases the reserve if the disk is full. */
  toStorageFailure(error: unknown): StorageFailure;
  /** Restores the reserve, or remembers that there is no space for it. */
  restoreReserve(): void;
};

export function createDiskReserve(dir: DataDir): DiskReserve {
  let failure: StorageFailure | undefined;
  return {
    current: () => failure,
    async runWithReserve(open) {
      try {
        return await open();
      } catch (error) {
        const { reason, isFull } = classifyFailure(error, dir.path);
        if (!isFull || !releaseReserve(dir)) throw error;
        failure ??= { reason, usesReserve: true };
        return open();
      }
    },
    toStorageFailure(error) {
      const { reason, isFull } = classifyFailure(error, dir.path);
      if (!isFull) return { reason, usesReserve: false };
      if (releaseReserve(dir)) failure ??= { reason, usesReserve: true };
      return failure ?? { reason, usesReserve: false };
    },
    restoreReserve() {
      try {
        ensureReserve(dir);
        failure = undefined;
      } catch (error) {
        const { reason, isFull } = classifyFailure(error, dir.path);
        // If the disk is not full, the reserve failed for another reason. Kit works without it as long as there is space.
        if (!isFull) return;
        releaseReserve(dir);
        failure ??= { reason, usesReserve: true };
      }
    },
  };
}
