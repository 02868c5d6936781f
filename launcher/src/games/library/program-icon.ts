// Finds the icon of a game's program among the picture files next to it. Does not read icons inside program files.
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve, sep } from "node:path";
import type { GameCommand } from "@kit/contract";
import { detectImageType, pictureVersion } from "./picture.ts";

/** An icon file. Only `readIcon` returns its bytes. */
export type FoundIcon = { readonly type: string; readonly version: string; readonly path: string };

/** Larger pictures are not used as icons. */
const iconBytesMax = 1_000_000;
const manifestBytesMax = 100_000;
/** How many arguments of a command Kit tries as the folder of the game, or as a file in that folder. */
const argumentsMax = 4;
const rememberedMax = 200;
/** How long a result is remembered. A rebuilt game shows its new icon after this time. */
const rememberedMs = 60_000;

async function readSmall(path: string, bytesMax: number): Promise<Buffer | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size <= bytesMax ? readFile(path).catch(() => undefined) : undefined;
}

const folderAt = async (path: string): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return found.isDirectory() ? path : dirname(path);
};

/**
 * Returns the folders that the arguments name, and the folder of the program. The arguments tell games apart if one engine runs
 * many.
 */
async function findFolders({ program, arguments: words, folder }: GameCommand): Promise<string[]> {
  const named = words.filter((word) => !word.startsWith("-")).slice(0, argumentsMax);
  const folders = await Promise.all(named.map((word) => folderAt(resolve(folder, word))));
  return [...new Set([...folders.filter((path) => path !== undefined), dirname(program), folder])];
}

/** Returns the icon that package.json of an NW.js or RPG Maker game names, if it is inside the folder. */
async function iconFromManifest(folder: string): Promise<string[]> {
  const manifest = await readSmall(join(folder, "package.json"), manifestBytesMax);
  const icon = manifest && parseIconName(manifest.toString("utf8"));
  const path = typeof icon === "string" ? resolve(folder, icon) : "";
  return path.startsWith(folder + sep) ? [path] : [];
}

function parseIconName(manifest: string): unknown {
  try {
    return JSON.parse(manifest)?.window?.icon;
  } catch {
    return undefined;
  }
}

async function candidatePaths(command: GameCommand): Promise<string[]> {
  const { dir, name } = parse(command.program);
  const folders = await findFolders(command);
  const manifests = await Promise.all(folders.map(iconFromManifest));
  return [
    ...[basename(command.program), name].map((each) => join(dir, `${each}.png`)),
    // The icon of Unity's player.
    join(dir, `${name}_Data`, "Resources", "UnityPlayer.png"),
    // The icon of GameMaker's runner.
    join(dir, "assets", "icon.png"),
    ...manifests.flat(),
    ...folders.map((folder) => join(folder, "icon.png")),
  ];
}

async function find(command: GameCommand): Promise<FoundIcon | undefined> {
  for (const path of await candidatePaths(command)) {
    const bytes = await readSmall(path, iconBytesMax);
    const type = bytes && detectImageType(bytes);
    if (bytes !== undefined && type !== undefined) return { type, version: pictureVersion(bytes), path };
  }
  return undefined;
}

/** Reads the icon. Returns undefined if the file has changed since it was found. */
export async function readIcon({ path, version }: FoundIcon): Promise<Buffer | undefined> {
  const bytes = await readSmall(path, iconBytesMax);
  return bytes !== undefined && pictureVersion(bytes) === version ? bytes : undefined;
}

export type FindProgramIcon = (command: GameCommand) => Promise<FoundIcon | undefined>;

/** Remembers each result for a minute, because the library is listed after every change. */
export function createIconFinder(now: () => number): FindProgramIcon {
  const known = new Map<string, { readonly icon: Promise<FoundIcon | undefined>; readonly untilMs: number }>();
  return (command) => {
    const key = JSON.stringify(command);
    const before = known.get(key);
    if (before !== undefined && now() < before.untilMs) return before.icon;
    const icon = find(command);
    known.delete(key);
    known.set(key, { icon, untilMs: now() + rememberedMs });
    const [oldest] = known.keys();
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest);
    return icon;
  };
}
