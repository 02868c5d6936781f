// The icon of the program a game runs as: a picture where its engine, or whoever made it, puts one. No program file is read.
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve, sep } from "node:path";
import type { GameCommand } from "@kit/contract";
import { imageTypeOf, versionOf } from "./picture.ts";

/** Where it lies; the picture itself is read when it is asked for. */
export type FoundIcon = { readonly type: string; readonly version: string; readonly path: string };

/** A larger picture is no icon. */
const iconBytesMax = 1_000_000;
const manifestBytesMax = 100_000;
/** Words of a command line that may be the game's folder, or a file in it. */
const wordsMax = 4;
const rememberedMax = 200;
/** A game that was built anew is seen with its new icon after this long. */
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

/** Where the program lies, and where what it was told to run does: an engine runs many a game. */
async function foldersOf({ program, arguments: words, folder }: GameCommand): Promise<string[]> {
  const named = words.filter((word) => !word.startsWith("-")).slice(0, wordsMax);
  const told = await Promise.all(named.map((word) => folderAt(resolve(folder, word))));
  return [...new Set([...told.filter((path) => path !== undefined), dirname(program), folder])];
}

/** What NW.js, and so RPG Maker, shows: named in the manifest, beside it or below. */
async function ofManifest(folder: string): Promise<string[]> {
  const manifest = await readSmall(join(folder, "package.json"), manifestBytesMax);
  const said = manifest && iconIn(manifest.toString("utf8"));
  const path = typeof said === "string" ? resolve(folder, said) : "";
  return path.startsWith(folder + sep) ? [path] : [];
}

function iconIn(manifest: string): unknown {
  try {
    return JSON.parse(manifest)?.window?.icon;
  } catch {
    return undefined;
  }
}

async function placesOf(command: GameCommand): Promise<string[]> {
  const { dir, name } = parse(command.program);
  const folders = await foldersOf(command);
  const manifests = await Promise.all(folders.map(ofManifest));
  return [
    ...[basename(command.program), name].map((each) => join(dir, `${each}.png`)),
    // Unity's player.
    join(dir, `${name}_Data`, "Resources", "UnityPlayer.png"),
    // GameMaker's runner.
    join(dir, "assets", "icon.png"),
    ...manifests.flat(),
    ...folders.map((folder) => join(folder, "icon.png")),
  ];
}

async function find(command: GameCommand): Promise<FoundIcon | undefined> {
  for (const path of await placesOf(command)) {
    const bytes = await readSmall(path, iconBytesMax);
    const type = bytes && imageTypeOf(bytes);
    if (bytes !== undefined && type !== undefined) return { type, version: versionOf(bytes), path };
  }
  return undefined;
}

/** Undefined where it is another by now. */
export async function readIcon({ path, version }: FoundIcon): Promise<Buffer | undefined> {
  const bytes = await readSmall(path, iconBytesMax);
  return bytes !== undefined && versionOf(bytes) === version ? bytes : undefined;
}

export type ProgramIcons = (command: GameCommand) => Promise<FoundIcon | undefined>;

/** Where it lies is remembered for a minute: the library is listed at every change. */
export function createProgramIcons(now: () => number): ProgramIcons {
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
