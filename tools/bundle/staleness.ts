// Decides whether a bundle is older than what it is made from. Loads nothing but node:fs: it runs before every start.
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folders that no bundle is made from: what package managers and compilers leave. */
const others = ["node_modules", "bin", "obj"];

/** A folder counts with everything in it, so that a deleted file is noticed too; a path that is missing counts as old. */
function newestMsOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path)
    .filter((name) => !others.includes(name) && !/\.test\.tsx?$/.test(name))
    .map((name) => newestMsOf(join(path, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

export function isStale(stamp: string, sources: readonly string[]): boolean {
  const stampedMs = newestMsOf(stamp);
  return stampedMs === 0 || sources.some((source) => newestMsOf(source) > stampedMs);
}

/** Dated to the moment the build began: what was saved while it ran is newer, and is built next time. */
export function markBuilt(stamp: string, beganMs: number): void {
  writeFileSync(stamp, "");
  utimesSync(stamp, beganMs / 1000, beganMs / 1000);
}
