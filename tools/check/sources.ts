// Reads the source files of the repository, without downloaded and built files.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export type Source = {
  /** Path relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
};

/** Folders with downloaded or built files. Names with a leading dot are excluded as well. */
const fetchedOrBuilt = new Set(["node_modules", "dist", "obj", "test-results"]);

/** All files and folders below `root`, sorted. */
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

/** The TypeScript and JavaScript files below `root`. */
export function sourcesIn(root: string): Source[] {
  return pathsIn(root)
    .filter(({ path, isFolder }) => !isFolder && /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".d.ts"))
    .map(({ path }) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

export const isTest = (path: string): boolean => /\.test\.[cm]?[jt]sx?$/.test(path) || /(^|\/)test\//.test(path);
