// Renames with patience: on Windows, virus scanners and indexers hold new files for a moment, and no held file can be renamed or
// replaced.
import { renameSync } from "node:fs";
import { rename } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

const triesMax = 10;
const tryAgainMs = 150;

/** Only Windows locks open files. On other systems, only EBUSY is temporary. */
const codesOfHeldFiles: readonly string[] = process.platform === "win32" ? ["EBUSY", "EACCES", "EPERM"] : ["EBUSY"];

const isHeld = (error: unknown) => codesOfHeldFiles.includes((error as NodeJS.ErrnoException).code ?? "");

/** Renames a file or folder, and replaces a file. Retries for more than a second while another program holds one of them. */
export async function renameWithRetry(
  from: string,
  to: string,
  renameFile: (from: string, to: string) => Promise<void> = rename,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await renameFile(from, to);
    } catch (error) {
      if (!isHeld(error) || attempt === triesMax) throw error;
      await pause(tryAgainMs);
    }
  }
}

/** The same, and blocks the thread meanwhile. */
export function renamePatientlySync(
  from: string,
  to: string,
  renameFile: (from: string, to: string) => void = renameSync,
): void {
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return renameFile(from, to);
    } catch (error) {
      if (!isHeld(error) || attempt === triesMax) throw error;
      Atomics.wait(never, 0, 0, tryAgainMs);
    }
  }
}
