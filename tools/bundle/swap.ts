// Replaces a bundle atomically, so that a start during a build finds the old or the new bundle.
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";

/** Runs `build` in a temporary folder beside `target`, and swaps the folders on success. */
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
    // At the first build there is no old folder.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
