// Reads what goes into a package: named by an allow-list, so that an editor's or a test's leavings never get out.
import { globSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { Files } from "./archive.ts";

/** The files below `folder` that one of the patterns names, each under its path there; `prefix` goes before it. */
export function readFiles(folder: string, patterns: readonly string[], prefix = ""): Files {
  const paths = globSync(patterns, { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  return new Map(paths.map((path) => [prefix + path.split(sep).join("/"), readFileSync(join(folder, path))]));
}
