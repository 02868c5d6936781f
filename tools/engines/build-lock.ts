// A lock by a file, for builds that several test files and drivers want at once: processes that know nothing of each other.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** True when the lock is now ours. One whose holder is gone is taken away. */
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
    // Empty for the moment between making and writing it.
    return pid === 0 || process.kill(pid, 0);
  } catch {
    // Let go meanwhile; by now the name may be another's.
    return !existsSync(lock);
  }
}
