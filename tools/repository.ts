// Where the repository is, and its files and folders without downloaded and built ones.
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

export const repositoryRoot = join(import.meta.dirname, "..");

/** Folders with downloaded or built files. Names with a leading dot are excluded as well. */
const fetchedOrBuilt = new Set(["node_modules", "dist", "obj", "test-results"]);

/** All files and folders of the repository, sorted, with forward slashes. */
export function pathsInRepository(): { path: string; isFolder: boolean }[] {
  const found: { path: string; isFolder: boolean }[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || fetchedOrBuilt.has(entry.name)) continue;
      const full = join(folder, entry.name);
      found.push({ path: relative(repositoryRoot, full).split(sep).join("/"), isFolder: entry.isDirectory() });
      if (entry.isDirectory()) walk(full);
    }
  };
  walk(repositoryRoot);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
