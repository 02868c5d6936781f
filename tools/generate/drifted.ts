// Compares generated files with the texts they should have, and writes those that differ.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type GeneratedFile = { readonly path: string; readonly text: string };

/** Generated files that are missing or outdated. */
export const driftedOf = (root: string, files: readonly GeneratedFile[]): GeneratedFile[] =>
  files.filter(({ path, text }) => {
    try {
      return readFileSync(join(root, path), "utf8") !== text;
    } catch {
      return true;
    }
  });

export function writeDrifted(root: string, files: readonly GeneratedFile[]): void {
  for (const { path, text } of driftedOf(root, files)) {
    writeFileSync(join(root, path), text);
    console.log(`written: ${path}`);
  }
}
