// Reads the files of a package by an allow list, so that stray files are never distributed.
import { globSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { Files } from "./archive.ts";

/** Files below `folder` that match a pattern, by relative path with `prefix` in front. */
export function readFiles(folder: string, patterns: readonly string[], prefix = ""): Files {
  const paths = globSync(patterns, { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile());
  return new Map(paths.map((path) => [prefix + path.split(sep).join("/"), readFileSync(join(folder, path))]));
}
