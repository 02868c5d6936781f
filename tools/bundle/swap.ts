// Puts a finished build in its place at once: who starts meanwhile finds the old one or the new one, never half of one.
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Runs `build` into a folder of its own beside `target` and swaps the two when it succeeded. */
export async function buildInto(target: string, build: (folder: string) => Promise<void>): Promise<void> {
  const fresh = `${target}.new-${process.pid}`;
  const old = `${target}.old-${process.pid}`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    await build(fresh);
    moveAway(target, old);
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

function moveAway(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // The first build finds nothing to move away.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
