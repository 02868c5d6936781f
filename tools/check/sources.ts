// Finds and reads the source files of a tree, as the checks see them: everything a person wrote, nothing fetched or built.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export type Source = {
  /** From the root of the tree, with forward slashes. */
  readonly path: string;
  readonly text: string;
};

/** Folders whose content nobody here wrote. A name with a dot in front counts as one of them. */
const fetchedOrBuilt = new Set(["node_modules", "dist", "obj", "test-results"]);

/** Every path below `root`, files and folders, sorted. */
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
