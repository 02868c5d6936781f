// Lists the files of the repository, without downloaded and built ones.
import { readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Folders with downloaded or built files. Names with a leading dot are excluded as well. */
const fetchedOrBuilt = new Set(["node_modules", "dist", "obj", "test-results"]);

/** All files and folders below `root`, sorted, with forward slashes. */
export function pathsIn(root: string): { path: string; isFolder: boolean }[] {
  const found: { path: string; isFolder: boolean }[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || fetchedOrBuilt.has(entry.name)) continue;
      const full = join(folder, entry.name);
      found.push({ path: relative(root, full).split(sep).join("/"), isFolder: entry.isDirectory() });
      if (entry.isDirectory()) walk(full);
    }
  };
  walk(root);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}
