// The files of clips: a written part is checked, made durable and named; pictures are made of it. Knows no database.
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { Footage } from "../capture/backend.ts";
import { runFfmpeg } from "../ffmpeg/run.ts";
import { binFolder, binNameOf } from "./clip-row.ts";
import { baseNameOf, type Naming } from "./file-name.ts";
import { pictureArguments, posterWidth, previewArguments } from "./picture.ts";
import { renameOver, renameToFree, syncFile } from "./replace-file.ts";
import { type Held, isWholeMp4, probeVideo, VerifyFailed } from "./verify.ts";

// What a clip says of itself: when it begins, and which events it was cut for.

/** Undefined is what the file does not say. */
type Told = { readonly startedAtMs: number | undefined; readonly events: readonly string[] | undefined };

const outBytesMax = 4 * 1024 * 1024;
const timeoutMs = 20_000;

/** Throws FfmpegFailed when it cannot be read. */
async function toldIn(ffmpeg: { readonly path: string }, path: string): Promise<Told> {
  const args = ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", `file:${path}`];
  const { stdout } = await runFfmpeg(ffmpeg, [...args, "-f", "ffmetadata", "pipe:1"], { outBytesMax, timeoutMs });
  const text = stdout.toString();
  // Its own form puts a backslash before what means something there.
  const said = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1]?.replace(/\\(.)/g, "$1") ?? "";
  const startedAtMs = Date.parse(said("date"));
  return { startedAtMs: Number.isNaN(startedAtMs) ? undefined : startedAtMs, events: eventsOf(said("comment")) };
}

function eventsOf(comment: string): readonly string[] | undefined {
  try {
    const { events } = JSON.parse(comment) as { events?: unknown };
    return Array.isArray(events) ? events.map(String) : undefined;
  } catch {
    return undefined;
  }
}

export type ClipFilesNeeds = {
  /** The clips folder; absolute. */
  readonly dir: string;
  /** The ffmpeg in use; undefined when there is none: then nothing can be checked, and nothing is kept. */
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
};

/** What is at the final name now. */
export type ClipFileInfo = {
  /** Relative to the clips folder. */
  readonly file: string;
  readonly bytes: number;
  /** As checked; 0 for a picture. */
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** What a person should know about it. */
  readonly notes: readonly string[];
};

/** `replaces` is the file of an earlier cut of the same clip: its name stays, and it stands until the new one is checked. */
export type KeepAs = Naming & { readonly replaces?: string | null };

export type PictureOf = "poster" | "preview";
export type ClipFiles = ReturnType<typeof createClipFiles>;

const mediaFolder = ".media";
const videoExtension = ".mp4";
const pictureExtension = ".jpg";
const durationOffMaxMs = 500;
const pictureBytesMax = 64 * 1024 * 1024;
const pictureTimeoutMs = 20_000;
const previewTimeoutMs = 60_000;

/** What a cut says of the file it wrote. */
type FileSaid = Pick<Footage, "fromMs" | "toMs" | "frames">;

/** Throws VerifyFailed unless the file holds what the cut said it wrote. */
function compare(held: Held, footage: FileSaid): void {
  const wantedMs = footage.toMs - footage.fromMs;
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  if (Math.abs(held.durationMs - wantedMs) > durationOffMaxMs) {
    throw new VerifyFailed(`it is ${seconds(held.durationMs)} s long instead of ${seconds(wantedMs)} s`);
  }
  if (held.frames !== footage.frames) {
    throw new VerifyFailed(`it holds ${held.frames} pictures instead of ${footage.frames}`);
  }
}

const factsOf = ({ durationMs, width, height, frames, isBlack }: Held) => {
  const notes = isBlack ? ["the picture is black from beginning to end"] : [];
  return { durationMs, width, height, frames, notes };
};

export function createClipFiles({ dir, ffmpeg: findFfmpeg }: ClipFilesNeeds) {
  /** Every path in here is made by this: nothing leads out of the folder. */
  const within = (...parts: readonly string[]): string => {
    const path = resolve(dir, ...parts);
    const inside = relative(dir, path);
    if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
      throw new Error("a path outside the clips folder");
    return path;
  };
  const partOf = (id: string) => within(`${id}.part`);
  const picturePathOf = (id: string, what: PictureOf) =>
    within(mediaFolder, id + (what === "poster" ? ".jpg" : ".mp4"));
  const ffmpeg = async () => {
    const found = await findFfmpeg();
    if (found === undefined) throw new VerifyFailed("there is no ffmpeg to check it with");
    return found;
  };
  const discard = (part: string) => rm(part, { force: true });

  /** Durable, then visible. */
  const name = async (part: string, as: KeepAs, extension: string): Promise<{ file: string; bytes: number }> => {
    await syncFile(part);
    const bytes = (await stat(part)).size;
    if (typeof as.replaces !== "string")
      return { file: await renameToFree(part, dir, baseNameOf(as), extension), bytes };
    await renameOver(part, within(as.replaces));
    return { file: as.replaces, bytes };
  };
  const frameAt = async (source: string, offsetMs: number, args: readonly string[]): Promise<Buffer> => {
    const job = { outBytesMax: pictureBytesMax, timeoutMs: pictureTimeoutMs };
    const { stdout } = await runFfmpeg(await ffmpeg(), pictureArguments(source, offsetMs, args), job);
    // Behind its last frame a file has no picture: then its first is better than none.
    if (stdout.length > 0 || offsetMs === 0) return stdout;
    return frameAt(source, 0, args);
  };
  const check = async (path: string): Promise<Held> => {
    if (!(await isWholeMp4(path))) throw new VerifyFailed("its end is not there");
    return probeVideo(await ffmpeg(), path);
  };
  /** ffmpeg gives a picture the length of one frame. */
  const checkPicture = async (path: string): Promise<Held> => ({
    ...(await probeVideo(await ffmpeg(), path, "jpeg_pipe")),
    durationMs: 0,
  });

  return {
    partOf,
    picturePathOf,
    discard,
    pathOf: (file: string) => within(file),
    /** Makes the folders. Before the first part is written. */
    async prepare(): Promise<void> {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      for (const folder of [within(mediaFolder), within(binFolder)]) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // An earlier Kit made them by the user's umask. The folder above may be the user's own and is left as it is.
        await chmod(folder, 0o700);
      }
    },
    /**
     * Checks a part against what its cut said (against nothing when that is not known any more), and gives it its name.
     * Throws VerifyFailed, FfmpegFailed, FileInUse, or what the file system throws; the part is still there then.
     */
    async keep(id: string, part: string, footage: FileSaid | undefined, as: KeepAs): Promise<ClipFileInfo> {
      const held = await check(part);
      if (footage !== undefined) compare(held, footage);
      const inBin = within(binNameOf(id, videoExtension));
      // An earlier cut that was put into the bin meanwhile left its name to others.
      const isBinned = (await stat(inBin).catch(() => undefined)) !== undefined;
      const named = await name(part, isBinned ? { ...as, replaces: null } : as, videoExtension);
      await discard(inBin);
      return { ...named, ...factsOf(held) };
    },
    /** What a file says of itself; undefined when it cannot be read. */
    async told(file: string): Promise<Told | undefined> {
      const program = await findFfmpeg();
      return program && toldIn(program, within(file)).catch(() => undefined);
    },
    /** Checks a file that has its name already as `keep` does. */
    async checked(file: string): Promise<ClipFileInfo> {
      const path = within(file);
      const held = file.endsWith(pictureExtension) ? await checkPicture(path) : await check(path);
      return { file, bytes: (await stat(path)).size, ...factsOf(held) };
    },
    /** Keeps the frame at that time of a part as a picture of its own; checked like a video. The part is left as it is. */
    async keepPicture(id: string, part: string, offsetMs: number, as: KeepAs): Promise<ClipFileInfo> {
      const picture = within(`${id}.jpg.part`);
      await writeFile(picture, await frameAt(part, offsetMs, ["-q:v", "2"]));
      try {
        const held = await checkPicture(picture);
        return { ...(await name(picture, as, pictureExtension)), ...factsOf(held) };
      } finally {
        await discard(picture);
      }
    },
    /** The frame at that time, small, for lists. */
    async poster(id: string, file: string, offsetMs: number): Promise<void> {
      const picture = await frameAt(within(file), offsetMs, ["-vf", `scale=${posterWidth}:-2`, "-q:v", "4"]);
      if (picture.length === 0) throw new VerifyFailed("there is no picture at that time");
      await writeFile(`${picturePathOf(id, "poster")}.part`, picture);
      await renameOver(`${picturePathOf(id, "poster")}.part`, picturePathOf(id, "poster"));
    },
    /** A few silent seconds around that time. Costs most of a second of processor time: never while something is cut. */
    async preview(id: string, file: string, offsetMs: number, signal?: AbortSignal): Promise<void> {
      const part = `${picturePathOf(id, "preview")}.part`;
      try {
        const job = { outBytesMax: 0, timeoutMs: previewTimeoutMs, ...(signal && { signal }) };
        await runFfmpeg(await ffmpeg(), previewArguments(within(file), offsetMs, part), job);
        await renameOver(part, picturePathOf(id, "preview"));
      } finally {
        await discard(part);
      }
    },
    async removePictures(id: string): Promise<void> {
      await Promise.all([discard(picturePathOf(id, "poster")), discard(picturePathOf(id, "preview"))]);
    },
  };
}
