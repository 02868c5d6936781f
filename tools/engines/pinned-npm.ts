import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  clickhouse,
  enginesDir,
  gmlParser,
  nwjs,
  nwjsVersions,
  pds,
  postgresql,
  spotlight,
  windowsNode,
} from "./locate.ts";
import { say, timed } from "./progress.ts";

// Installs npm packages into .engines/ from a lock file, for packages that should not be project dependencies.

type Pinned = {
  /** Name of the folder with package.json beside this file, and of the target folder in .engines/. */
  readonly folder: string;
  /** Display name. */
  readonly name: string;
  readonly size: string;
  /** Further words for npm. */
  readonly words?: readonly string[];
  /** Whether the package is installed. */
  readonly isThere: () => boolean;
};

const recipeOf = ({ folder }: Pinned) => join(import.meta.dirname, folder);
const placeOf = ({ folder }: Pinned) => join(enginesDir, folder);

function isCurrent(pinned: Pinned): boolean {
  const ours = join(placeOf(pinned), "package-lock.json");
  const theirs = join(recipeOf(pinned), "package-lock.json");
  return existsSync(ours) && readFileSync(ours, "utf8") === readFileSync(theirs, "utf8") && pinned.isThere();
}

/** Installs into a temporary folder and renames it, so that a broken download is never used. */
function install(pinned: Pinned): boolean {
  const draft = join(enginesDir, `${pinned.folder}.${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    for (const name of ["package.json", "package-lock.json"])
      copyFileSync(join(recipeOf(pinned), name), join(draft, name));
    const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...(pinned.words ?? [])];
    const run = spawnSync("npm", words, { cwd: draft, stdio: ["ignore", "inherit", "inherit"] });
    if (run.status !== 0) return false;
    // Another process may have installed the package meanwhile.
    if (isCurrent(pinned)) return true;
    rmSync(placeOf(pinned), { recursive: true, force: true });
    renameSync(draft, placeOf(pinned));
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function providePinned(pinned: Pinned): void {
  if (isCurrent(pinned)) return;
  say(`fetching ${pinned.name} from npm (about ${pinned.size}, once)`);
  const { result: done, took } = timed(() => install(pinned));
  say(done ? `${pinned.name} installed in ${took}` : `npm could not bring ${pinned.name}; what it said is above`);
}

/** Uses a newer release of its database package than the server requires, because that release contains its binaries. */
export const providePds = (): void =>
  providePinned({ folder: "pds", name: "Bluesky's server", size: "300 MB", isThere: () => pds() !== undefined });

export const provideGmlParser = (): void =>
  providePinned({
    folder: "gml-parser",
    name: "the GML parser",
    size: "50 MB",
    isThere: () => gmlParser() !== undefined,
  });

export const provideSpotlight = (): void =>
  providePinned({ folder: "spotlight", name: "Spotlight", size: "115 MB", isThere: () => spotlight() !== undefined });

export const providePostgresql = (): void =>
  providePinned({ folder: "postgresql", name: "PostgreSQL", size: "30 MB", isThere: () => postgresql() !== undefined });

export function provideClickHouse(): void {
  if (process.platform === "linux" && process.arch === "x64")
    providePinned({
      folder: "clickhouse",
      name: "ClickHouse",
      size: "180 MB",
      isThere: () => clickhouse() !== undefined,
    });
  else say("ClickHouse is only brought to linux x64");
}

/** Programs and libraries for Windows x64, which npm installs on any system. */
export const provideWindowsPackages = (): void =>
  providePinned({
    folder: "windows",
    name: "Node.js for Windows",
    size: "40 MB",
    words: ["--force"],
    isThere: () => windowsNode() !== undefined,
  });

export function provideNwjs(): void {
  const isThere = () => nwjsVersions.every((version) => nwjs(version) !== undefined);
  const name = `NW.js ${nwjsVersions.join(" and ")}`;
  if (process.platform === "linux" && process.arch === "x64")
    providePinned({ folder: "nwjs", name, size: "310 MB", isThere });
  else if (!isThere()) say(`NW.js is only brought to linux x64, not to ${process.platform} ${process.arch}`);
}
