// Reads all cases. Unknown files and duplicate cases are errors, so that no case is skipped silently.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Case, casesOf, textsOf } from "./case.ts";

const casesFolder = join(import.meta.dirname, "../cases");

export function readCases(folder = casesFolder): Case[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const cases = files.sort().flatMap((path) => {
    if (!path.endsWith(".json")) throw new Error(`${path} is no case file; only .json files belong into cases/`);
    return casesOf(path, readFileSync(path, "utf8"));
  });
  refuseTwins(cases.map(({ id }) => `the case ${id}`));
  // These cases share one launcher, which distinguishes them by their texts.
  const sharing = cases.filter(({ launcher }) => launcher === "answers-default");
  refuseTwins(sharing.flatMap(({ steps }) => textsOf(steps).map((text) => `on the default port the text "${text}"`)));
  return cases;
}

function refuseTwins(things: readonly string[]): void {
  const seen = new Set<string>();
  for (const thing of things) {
    if (seen.has(thing)) throw new Error(`${thing} exists twice`);
    seen.add(thing);
  }
}
