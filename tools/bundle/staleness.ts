// Decides whether a bundle is older than its sources. Imports only node:fs, because it runs before every start.
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Output folders of package managers and compilers, which are never sources. */
const others = ["node_modules", "bin", "obj"];

/** The newest modification time below a path, including folders, so that deletions count. A missing path counts as old. */
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

/** Sets the stamp to the start of the build, so that files saved during the build trigger the next one. */
export function markBuilt(stamp: string, beganMs: number): void {
  writeFileSync(stamp, "");
  utimesSync(stamp, beganMs / 1000, beganMs / 1000);
}
