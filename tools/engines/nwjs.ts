// Brings the two NW.js builds from npm, pinned by the hashes of nwjs/package-lock.json, into .engines/.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { enginesDir, nwjs, nwjsVersions } from "./locate.ts";
import { say, timed } from "./progress.ts";

const recipe = join(import.meta.dirname, "nwjs");
const place = join(enginesDir, "nwjs");

function isCurrent(): boolean {
  const [ours, theirs] = [join(place, "package-lock.json"), join(recipe, "package-lock.json")];
  if (!existsSync(ours) || readFileSync(ours, "utf8") !== readFileSync(theirs, "utf8")) return false;
  return nwjsVersions.every((version) => nwjs(version) !== undefined);
}

/** Installs into a folder beside the final one and renames it, so that a broken download is never taken for an engine. */
function install(): boolean {
  const draft = join(enginesDir, `nwjs.${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(recipe, name), join(draft, name));
    const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const run = spawnSync("npm", words, { cwd: draft, stdio: ["ignore", "inherit", "inherit"] });
    if (run.status !== 0) return false;
    // Another run may have been first; its engines are as good as ours.
    if (isCurrent()) return true;
    rmSync(place, { recursive: true, force: true });
    renameSync(draft, place);
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function provideNwjs(): void {
  if (isCurrent()) return;
  if (process.platform !== "linux" || process.arch !== "x64") {
    say(`NW.js is only brought to linux x64, not to ${process.platform} ${process.arch}`);
    return;
  }
  say(`fetching NW.js ${nwjsVersions.join(" and ")} from npm (about 310 MB, once)`);
  const { result: done, took } = timed(install);
  say(done ? `NW.js installed in ${took}` : "npm could not bring NW.js; what it said is above");
}
