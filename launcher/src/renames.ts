// Renames and removals with patience: on Windows, virus scanners and indexers hold new files for a moment, and no held file can be
// renamed, replaced or removed.
import { type RmOptions, renameSync, rmSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const triesMax = 10;
const tryAgainMs = 150;

/** Only Windows locks open files. On other systems, only EBUSY is temporary. */
const codesOfHeldFiles: readonly string[] = process.platform === "win32" ? ["EBUSY", "EACCES", "EPERM"] : ["EBUSY"];

const isHeld = (error: unknown) => codesOfHeldFiles.includes((error as NodeJS.ErrnoException).code ?? "");

async function retryWhileHeld(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (!isHeld(error) || attempt === triesMax) throw error;
      await pause(tryAgainMs);
    }
  }
}

function retryWhileHeldSync(act: () => void): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return act();
    } catch (error) {
      if (!isHeld(error) || attempt === triesMax) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryAgainMs);
    }
  }
}

/** Renames a file or folder, and replaces a file. Retries for more than a second while another program holds one of them. */
export const renameWithRetry = (
  from: string,
  to: string,
  renameFile: (from: string, to: string) => Promise<void> = rename,
): Promise<void> => retryWhileHeld(() => renameFile(from, to));

/** The same, and blocks the thread meanwhile. */
export const renamePatientlySync = (
  from: string,
  to: string,
  renameFile: (from: string, to: string) => void = renameSync,
): void => retryWhileHeldSync(() => renameFile(from, to));

/** Removes a file or folder like `rm`, and retries while another program holds it. */
export const removeWithRetry = (path: string, options: RmOptions = {}): Promise<void> =>
  retryWhileHeld(() => rm(path, options));

/** The same, and blocks the thread meanwhile. */
export const removePatientlySync = (path: string, options: RmOptions = {}): void =>
  retryWhileHeldSync(() => rmSync(path, options));
