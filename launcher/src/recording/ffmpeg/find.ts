// Finds the ffmpeg to use: the one a person chose, one on PATH or in the usual places, or the packaged one.
import { accessSync, chmodSync, constants, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Ffmpeg, FfmpegVersion } from "./ffmpeg.ts";
import { FfmpegFailed, runFfmpeg } from "./run.ts";

// Reads which ffmpeg answers, from the many ways in which builds say it.

const textCharsMax = 60;

/**
 * Undefined when it is no ffmpeg. A build between releases (`N-47683-g0e8eb07980`, `2024-05-02-git-…`) has no number
 * that says what it can do, so it gets 0 and is asked.
 */
export function readVersion(printed: string): FfmpegVersion | undefined {
  const text = /^ffmpeg version (\S+)/m
    .exec(printed)?.[1]
    ?.replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, textCharsMax);
  if (text === undefined) return undefined;
  // Distributions put an epoch before it (`7:5.1.9-0+deb12u1`), others an n (`n7.1`).
  const release = /^(?:\d+:)?n?(\d{1,2})\.(\d{1,3})(?![\d])/.exec(text);
  return { major: Number(release?.[1] ?? 0), minor: Number(release?.[2] ?? 0), text };
}

/** The newest year that its copyright names: when it was built, or last mended. Undefined where it names none. */
export function readYear(printed: string): number | undefined {
  const year = /^ffmpeg version .*Copyright \(c\) (?:\d{4}-)?(\d{4}) /m.exec(printed)?.[1];
  return year === undefined ? undefined : Number(year);
}

export type FindFfmpeg = {
  /** The one a person chose; when it does not run, no other is taken in its place. */
  readonly chosen: string | undefined;
  /** The PATH to look in, as the environment has it. */
  readonly searchPath: string;
  /** What is tried when PATH has none; the usual places and the packaged build when left out. */
  readonly usualPlaces?: readonly string[];
  readonly packaged?: () => string | undefined;
};

/** `says` is for a person: which one it is and where from, or what to do. */
export type FoundFfmpeg =
  | { readonly ffmpeg: Ffmpeg; readonly says: string }
  | { readonly ffmpeg: undefined; readonly says: string };

const program = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
/**
 * A first start may wait for a virus scanner, or for a disk that sleeps. A game on every core must not starve it: nothing
 * is captured, and the recorder says nothing, before it has answered.
 */
const asking = { timeoutMs: 15_000, awaited: true } as const;

const installBy: Partial<Record<NodeJS.Platform, string>> = {
  win32: "run `winget install Gyan.FFmpeg`",
  darwin: "run `brew install ffmpeg`",
  linux: "install the package ffmpeg, e.g. `sudo apt-get install ffmpeg`",
};

/** The command that brings one, for this system. */
export const installOn = (platform: NodeJS.Platform = process.platform) =>
  installBy[platform] ?? "install ffmpeg so that it is on PATH";

/** What to do where none was found, for this system. */
export function howToInstall(platform: NodeJS.Platform = process.platform): string {
  return `No ffmpeg was found: ${installOn(platform)}, or set KIT_FFMPEG to its path.`;
}

/** Where package managers put it although a launcher started from a desktop does not have the folder on its PATH. */
function usualPlacesOf(platform: NodeJS.Platform): string[] {
  if (platform === "darwin") return ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"];
  if (platform !== "win32") return ["/usr/local/bin", "/usr/bin", "/snap/bin"];
  const home = homedir();
  return [
    join(home, "AppData/Local/Microsoft/WinGet/Links"),
    join(home, "scoop/shims"),
    "C:\\ProgramData\\chocolatey\\bin",
    "C:\\ffmpeg\\bin",
  ];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The binary of @ffmpeg-installer/ffmpeg, where it was installed. Asked for at run time only: it is optional. */
function packagedBinary(): string | undefined {
  try {
    return (createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { path: string }).path;
  } catch {
    return undefined;
  }
}

/** npm may have left out the package's install script, which would have made it a program. */
function makeProgram(path: string): void {
  try {
    if (!isProgram(path)) chmodSync(path, 0o755);
  } catch {
    // Not ours to change: running it says what is wrong.
  }
}

/** True when it takes the option that newer ones know; asked of builds whose number says nothing. */
async function knowsFpsMode(path: string): Promise<boolean> {
  const args = ["-v", "error", "-f", "lavfi", "-i", "color=s=16x16", "-frames:v", "1", "-fps_mode", "passthrough"];
  return runFfmpeg({ path }, [...args, "-f", "null", "-"], { ...asking, outBytesMax: 4_096 }).then(
    () => true,
    () => false,
  );
}

/** Believes only what ran. Throws FfmpegFailed. */
async function ask(path: string, from: Ffmpeg["from"]): Promise<Ffmpeg> {
  const { stdout } = await runFfmpeg({ path }, ["-version"], { ...asking, outBytesMax: 65_536 });
  const printed = stdout.toString("utf8");
  const version = readVersion(printed);
  const year = readYear(printed);
  if (version === undefined) throw new FfmpegFailed("It does not answer as ffmpeg does.");
  const isKnown = version.major > 0;
  const fpsMode = isKnown ? version.major > 5 || (version.major === 5 && version.minor >= 1) : await knowsFpsMode(path);
  return { path, version, from, year, fpsMode };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");

/** Looks anew each time; whoever asks keeps the answer. Never rejects. */
export async function findFfmpeg(wanted: FindFfmpeg): Promise<FoundFfmpeg> {
  if (wanted.chosen !== undefined && wanted.chosen !== "") return findChosen(wanted.chosen);
  const folders = wanted.searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  const places = [...folders, ...(wanted.usualPlaces ?? usualPlacesOf(process.platform))];
  const broken: string[] = [];
  for (const path of new Set(places.map((folder) => join(folder, program)))) {
    if (!isProgram(path)) continue;
    try {
      const ffmpeg = await ask(path, "path");
      return { ffmpeg, says: `ffmpeg ${ffmpeg.version.text}, found on this machine.` };
    } catch (error) {
      broken.push(reasonOf(error));
    }
  }
  const path = (wanted.packaged ?? packagedBinary)();
  if (path !== undefined) {
    makeProgram(path);
    try {
      const ffmpeg = await ask(path, "package");
      return {
        ffmpeg,
        says: `ffmpeg ${ffmpeg.version.text}, the packaged build (GPL version 3, a program of its own). It is old: a newer one on PATH records windows, sound and with less work.`,
      };
    } catch (error) {
      broken.push(reasonOf(error));
    }
  }
  const also = broken.length > 0 ? ` One is here, but does not run: ${broken[0]}.` : "";
  return { ffmpeg: undefined, says: `${howToInstall()}${also}` };
}

async function findChosen(chosen: string): Promise<FoundFfmpeg> {
  try {
    const ffmpeg = await ask(resolve(chosen), "setting");
    return { ffmpeg, says: `ffmpeg ${ffmpeg.version.text}, as set by KIT_FFMPEG.` };
  } catch (error) {
    return {
      ffmpeg: undefined,
      says: `The ffmpeg that KIT_FFMPEG names does not run: ${reasonOf(error)}. Correct it, or unset it to use the one on PATH.`,
    };
  }
}
