// A file lock for builds that several processes need at once.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** Takes the lock, also from a holder that has ended. Returns whether that worked. */
export function claim(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    // The file is empty for a moment between creating and writing it.
    return pid === 0 || process.kill(pid, 0);
  } catch {
    // The lock was released meanwhile.
    return !existsSync(lock);
  }
}
