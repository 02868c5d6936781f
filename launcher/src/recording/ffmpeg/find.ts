// Finds the ffmpeg to use: the one a person set, on Windows the one that came with Kit, one on PATH or in the usual folders, or on
// other systems the packaged one.

import { accessSync, chmodSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import type { Message, MessageValue } from "@kit/contract";
import { joinSentences, message, reasonOf } from "@kit/contract/messages";
import { FfmpegFailed, runFfmpeg } from "./run.ts";

const textCharsMax = 60;

/**
 * Parses the output of `ffmpeg -version`. Returns undefined if it is not ffmpeg. A build between releases
 * (`N-47683-g0e8eb07980`, `2024-05-02-git-…`) gets version 0, and its features are tested instead.
 */
export function parseFfmpegVersion(printed: string): FfmpegVersion | undefined {
  const text = /^ffmpeg version (\S+)/m
    .exec(printed)?.[1]
    ?.replaceAll(/[^\x21-\x7e]/g, "")
    .slice(0, textCharsMax);
  if (text === undefined) return undefined;
  // Some builds have a prefix: an epoch (`7:5.1.9-0+deb12u1`) or an n (`n7.1`).
  const release = /^(?:\d+:)?n?(\d{1,2})\.(\d{1,3})(?![\d])/.exec(text);
  return { major: Number(release?.[1] ?? 0), minor: Number(release?.[2] ?? 0), text };
}

/** Returns the last year in the copyright notice, which is that of the build; undefined if there is none. */
export function parseBuildYear(printed: string): number | undefined {
  const year = /^ffmpeg version .*Copyright \(c\) (?:\d{4}-)?(\d{4}) /m.exec(printed)?.[1];
  return year === undefined ? undefined : Number(year);
}

export type FfmpegSearch = {
  /** The path that a person set. If it does not run, no other ffmpeg is used. */
  readonly chosen: string | undefined;
  /** The value of PATH. */
  readonly searchPath: string;
  /** For tests, like the following: where to search if PATH has no ffmpeg. The defaults are right for the platform. */
  readonly usualPlaces?: readonly string[];
  readonly packaged?: () => string | undefined;
  readonly platform?: NodeJS.Platform;
  /** Folder of an installed Kit, which has ffmpeg on Windows. */
  readonly ownFolder?: string;
  /** Where Windows keeps the user's programs. */
  readonly localAppData?: string;
};

/** `says` tells a person which ffmpeg is used, or how to get one. */
export type FoundFfmpeg =
  | { readonly ffmpeg: Ffmpeg; readonly says: Message }
  | { readonly ffmpeg: undefined; readonly says: Message };

/** The first start of ffmpeg may wait for a virus scanner, a sleeping disk or a game. One that takes longer makes Kit use another ffmpeg. */
const checkOptions = { timeoutMs: 60_000 } as const;

const installCommands: Partial<Record<NodeJS.Platform, Message>> = {
  win32: message("ffmpeg.install_windows"),
  darwin: message("ffmpeg.install_macos"),
  linux: message("ffmpeg.install_linux"),
};

/** Returns a message that says how to install ffmpeg on this system. */
export const installMessage = (platform: NodeJS.Platform = process.platform) =>
  installCommands[platform] ?? message("ffmpeg.install");

/** Returns a message that ffmpeg was not found and how to install it. */
export function noFfmpegMessage(platform: NodeJS.Platform = process.platform): Message {
  return message("ffmpeg.not_found", { how: installMessage(platform) });
}

const localAppDataHere = () => join(homedir(), "AppData/Local");

/** Returns the folders of package managers. The PATH of a launcher that was started from a desktop may lack them. */
function usualFolders(platform: NodeJS.Platform, localAppData: string): string[] {
  if (platform === "darwin") return ["/opt/homebrew/bin", "/usr/local/bin", "/opt/local/bin"];
  if (platform !== "win32") return ["/usr/local/bin", "/usr/bin", "/snap/bin"];
  return [
    ...wingetFolders(join(localAppData, "Microsoft/WinGet")),
    ...wingetFolders("C:\\Program Files\\WinGet"),
    join(homedir(), "scoop/shims"),
    "C:\\ProgramData\\chocolatey\\bin",
    "C:\\ffmpeg\\bin",
  ];
}

/** Without the right to create links, winget only changes PATH, which a running Kit does not see. */
function wingetFolders(winget: string): string[] {
  const packages = join(winget, "Packages");
  const unpacked = namesIn(packages)
    .filter((name) => /^Gyan\.FFmpeg[._]/i.test(name))
    .flatMap((name) => namesIn(join(packages, name)).map((version) => join(packages, name, version, "bin")))
    .sort((one, other) => other.localeCompare(one, "en", { numeric: true }));
  return [join(winget, "Links"), ...unpacked];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Windows does not let anyone look behind the links of its Store's programs, winget among them, but runs them. */
function isProgramOfWindows(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    if (!["EACCES", "UNKNOWN"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  }
}

function isExecutable(path: string, platform: NodeJS.Platform): boolean {
  if (platform === "win32") return isProgramOfWindows(path);
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Finds a program in the folders of PATH, and on macOS in those of package managers, which a desktop leaves out of PATH. */
export function findProgram(name: string, searchPath: string, platform = process.platform): string | undefined {
  const usual = platform === "darwin" ? usualFolders("darwin", "") : [];
  const folders = [...searchPath.split(delimiter).filter((folder) => isAbsolute(folder)), ...usual];
  const file = platform === "win32" ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find((path) => isExecutable(path, platform));
}

/** Returns the program in the optional package @ffmpeg-installer/ffmpeg; undefined without the package. */
function packagedBinary(): string | undefined {
  try {
    return (createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg") as { path: string }).path;
  } catch {
    return undefined;
  }
}

/** Makes the file executable, because npm may have skipped the package's install script. */
function makeExecutable(path: string): void {
  try {
    if (!isExecutable(path, process.platform)) chmodSync(path, 0o755);
  } catch {
    // Kit may lack the permission for this. Running the file will then report the problem.
  }
}

/** Returns true if the ffmpeg supports -fps_mode. Needed for a build without a release number. */
async function testFpsMode(path: string): Promise<boolean> {
  const args = ["-v", "error", "-f", "lavfi", "-i", "color=s=16x16", "-frames:v", "1", "-fps_mode", "passthrough"];
  return runFfmpeg({ path }, [...args, "-f", "null", "-"], { ...checkOptions, outBytesMax: 4_096 }).then(
    () => true,
    () => false,
  );
}

/** Runs ffmpeg to read its version. Throws FfmpegFailed. */
async function checkFfmpeg(path: string, from: Ffmpeg["origin"]): Promise<Ffmpeg> {
  const { stdout } = await runFfmpeg({ path }, ["-version"], { ...checkOptions, outBytesMax: 65_536 });
  const printed = stdout.toString("utf8");
  const version = parseFfmpegVersion(printed);
  const year = parseBuildYear(printed);
  if (version === undefined) throw new FfmpegFailed(message("ffmpeg.not_like_ffmpeg"));
  const isKnown = version.major > 0;
  const fpsMode = isKnown ? version.major > 5 || (version.major === 5 && version.minor >= 1) : await testFpsMode(path);
  return { path, version, origin: from, year, hasFpsMode: fpsMode };
}

/** Returns the reason as part of a sentence, so without a full stop. */
function failureReason(error: unknown): MessageValue {
  const { code, text, values } = reasonOf(error);
  return code === "ffmpeg.failed" ? (values?.why ?? text) : reasonOf(error);
}

/** Versions before 5 round the times of frames to 32 bits on Windows. A build without a release number is judged by its year. */
const isTooOldForWindows = ({ version: { major }, year }: Pick<Ffmpeg, "version" | "year">): boolean =>
  major > 0 ? major < 5 : year !== undefined && year < 2022;

/** Searches for ffmpeg, anew with each call. Never rejects. */
export async function findFfmpeg(search: FfmpegSearch): Promise<FoundFfmpeg> {
  const { chosen, platform = process.platform } = search;
  if (chosen !== undefined && chosen !== "") return findChosen(chosen, platform);
  const failures: Message[] = [];
  for (const { path, origin } of listCandidates(search, platform)) {
    try {
      const ffmpeg = await checkFfmpeg(path, origin);
      const { version } = ffmpeg;
      if (platform !== "win32" || !isTooOldForWindows(ffmpeg))
        return { ffmpeg, says: message(foundMessages[origin], { version: version.text }) };
      failures.push(message("ffmpeg.found_too_old", { version: version.text }));
    } catch (error) {
      failures.push(message("ffmpeg.found_does_not_run", { why: failureReason(error) }));
    }
  }
  return { ffmpeg: undefined, says: joinSentences(noFfmpegMessage(platform), ...failures.slice(0, 1)) };
}

const foundMessages = {
  kit: "ffmpeg.found_kit",
  path: "ffmpeg.found",
  package: "ffmpeg.found_packaged",
} as const;

/** Yields the programs in the order in which to try them. Windows has no packaged one: it is from 2018 and cannot record there. */
function* listCandidates(
  search: FfmpegSearch,
  platform: NodeJS.Platform,
): Generator<{ readonly path: string; readonly origin: keyof typeof foundMessages }> {
  const { searchPath, ownFolder = dirname(process.execPath), localAppData = localAppDataHere() } = search;
  const { usualPlaces = usualFolders(platform, localAppData) } = search;
  const isWindows = platform === "win32";
  const program = isWindows ? "ffmpeg.exe" : "ffmpeg";
  const own = isWindows ? join(ownFolder, program) : undefined;
  if (own !== undefined && isExecutable(own, platform)) yield { path: own, origin: "kit" };
  const folders = [...searchPath.split(delimiter).filter((folder) => isAbsolute(folder)), ...usualPlaces];
  for (const path of new Set(folders.map((folder) => join(folder, program))))
    if (path !== own && isExecutable(path, platform)) yield { path, origin: "path" };
  const packaged = isWindows ? undefined : (search.packaged ?? packagedBinary)();
  if (packaged === undefined) return;
  makeExecutable(packaged);
  yield { path: packaged, origin: "package" };
}

async function findChosen(chosen: string, platform: NodeJS.Platform): Promise<FoundFfmpeg> {
  try {
    const ffmpeg = await checkFfmpeg(resolve(chosen), "setting");
    const version = ffmpeg.version.text;
    const says = message("ffmpeg.found_by_setting", { version });
    if (platform !== "win32" || !isTooOldForWindows(ffmpeg)) return { ffmpeg, says };
    // It still makes pictures and copies of clips.
    return { ffmpeg, says: joinSentences(says, message("ffmpeg.found_too_old", { version })) };
  } catch (error) {
    return {
      ffmpeg: undefined,
      says: message("ffmpeg.chosen_does_not_run", { why: failureReason(error) }),
    };
  }
}

export type FfmpegVersion = {
  /** 0 for a build between releases, whose features are tested by running it. */
  readonly major: number;
  readonly minor: number;
  /** As the program prints it, such as 5.1.9-0+deb12u1. */
  readonly text: string;
};

export type Ffmpeg = {
  /** Absolute path. */
  readonly path: string;
  readonly version: FfmpegVersion;
  readonly origin: "setting" | "kit" | "path" | "package";
  /** Year of the build; undefined if unknown. */
  readonly year?: number | undefined;
  /** True if it supports -fps_mode. Versions before 5.1 have -vsync instead, which the newest ones reject. */
  readonly hasFpsMode: boolean;
};
