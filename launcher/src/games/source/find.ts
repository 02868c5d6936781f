// Finds a frame's file in a project: the first candidate that is a file there, never one outside it.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, extname, join, sep } from "node:path";
import type { Candidate } from "./candidates.ts";

/** Looks at the disk for one report. */
const looksMax = 400;

export type Found = { readonly path: string; readonly within: Candidate };
export type Search = (candidates: readonly Candidate[]) => Promise<Found | null>;

/** What may be said of one report: its looks are counted together. Undefined where there is no such folder. */
export async function searchIn(root: string): Promise<Search | undefined> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return undefined;
  let looks = 0;
  const isWithin = (path: string) => path.startsWith(real.endsWith(sep) ? real : real + sep);
  const isFileOf = async (path: string) => {
    looks += 1;
    if (!(await stat(path).catch(() => undefined))?.isFile()) return false;
    // A link in the project may lead out of it.
    return isWithin(await realpath(path).catch(() => ""));
  };
  return async (candidates) => {
    for (const within of candidates) {
      if (looks >= looksMax) return null;
      const path = join(root, ...within);
      if (await isFileOf(path)) return { path, within };
    }
    return null;
  };
}

/** By what JetBrains knows a project: its solution, else its folder. */
export async function projectIn(root: string): Promise<string> {
  const folder = basename(root);
  const names = (await readdir(root).catch(() => [])).filter((name) => [".sln", ".slnx"].includes(extname(name)));
  const solutions = names.map((name) => name.slice(0, -extname(name).length)).sort();
  return solutions.includes(folder) ? folder : (solutions[0] ?? folder);
}
