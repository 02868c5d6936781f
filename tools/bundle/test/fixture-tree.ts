// Writes a small tree of files into a temporary folder for tests.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type FixtureTree = Readonly<Record<string, string>>;

/** Writes the tree and returns its path. The caller must remove the folder. */
export function writeTree(files: FixtureTree): string {
  const root = mkdtempSync(join(tmpdir(), "kit-tree-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
