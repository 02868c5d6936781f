// The files of clips: verifies a partial file, gives it its name, and makes posters and previews. Does not use the database.

import { chmod, mkdir, stat, writeFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { removeWithRetry } from "../../renames.ts";
import { jpegFilters, videoFilters, videoTags } from "../ffmpeg/colours.ts";
import { FfmpegFailed, type FfmpegJob, runFfmpeg } from "../ffmpeg/run.ts";
import type { Footage } from "../plans/plan.ts";
import { trashFileName, trashFolder } from "./clip-row.ts";
import {
  type FileNameParts,
  fileBaseName,
  isNamedAfter,
  renameToFreeName,
  replaceFile,
  syncFile,
} from "./file-names.ts";
import {
  isWholeMp4,
  probeVideo,
  type Rehearsal,
  VerifyFailed,
  type VideoFacts,
  verifyBeginning,
  verifyMerge,
  verifyRest,
} from "./verify.ts";

/** Posters are shown large, and attached to posts. */
const posterWidth = 480;
/** Thumbnails are shown in lists, about 25 on a page. */
const thumbnailWidth = 320;
const previewWidth = 320;
const previewFrameRate = 15;
const previewMs = 3_000;

const fileOnly = ["-v", "error", "-protocol_whitelist", "file,pipe"];
const seconds = (ms: number) => (ms / 1_000).toFixed(3);

/** `quality` is ffmpeg's: 2 is the best. */
type PictureLook = { readonly scale: string; readonly quality: number };

/** Returns arguments that write a JPEG to stdout: a frame of a video, or a converted image. */
export function pictureArguments(source: string, offsetMs: number, { scale, quality }: PictureLook): string[] {
  const from = source.endsWith(".jpg") ? ["-f", "jpeg_pipe"] : ["-ss", seconds(Math.max(0, offsetMs)), "-f", "mp4"];
  const input = [...from, "-i", `file:${source}`, "-map", "0:v:0", "-frames:v", "1"];
  const output = ["-vf", jpegFilters(scale), "-q:v", String(quality), "-c:v", "mjpeg", "-f", "image2pipe", "pipe:1"];
  return [...fileOnly, ...input, ...output];
}

/** Returns what `pictureArguments` make. It is empty after the last frame: an older ffmpeg writes nothing then, a newer one fails. */
export async function readPicture(ffmpeg: { readonly path: string }, args: readonly string[], job: FfmpegJob) {
  try {
    return (await runFfmpeg(ffmpeg, args, job)).stdout;
  } catch (error) {
    if (error instanceof FfmpegFailed && error.stderr.includes("received no packets")) return Buffer.alloc(0);
    throw error;
  }
}

/** Returns arguments that write a preview with `offsetMs` in its middle. One thread, because a game is running. */
const previewArguments = (source: string, offsetMs: number, target: string): string[] => [
  ...fileOnly,
  ...[
    "-ss",
    seconds(Math.max(0, offsetMs - previewMs / 2)),
    "-f",
    "mp4",
    "-i",
    `file:${source}`,
    "-map",
    "0:v:0",
    "-an",
  ],
  ...["-t", seconds(previewMs), "-vf", `fps=${previewFrameRate},${videoFilters(`${previewWidth}:-2`)}`],
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "28", "-threads", "1", ...videoTags],
  ...["-movflags", "+faststart", "-f", "mp4", "-y", `file:${target}`],
];

/** What a clip's file says about itself. A member is undefined if the file does not have it. */
type ClipMetadata = { readonly startedAtMs: number | undefined; readonly events: readonly string[] | undefined };

const outBytesMax = 4 * 1024 * 1024;

/** Throws FfmpegFailed if the file cannot be read. */
async function parseMetadata(ffmpeg: { readonly path: string }, path: string): Promise<ClipMetadata> {
  const args = ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", `file:${path}`];
  const { stdout } = await runFfmpeg(ffmpeg, [...args, "-f", "ffmetadata", "pipe:1"], { outBytesMax });
  const text = stdout.toString();
  // The ffmetadata format escapes special characters with a backslash.
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1]?.replace(/\\(.)/g, "$1") ?? "";
  const startedAtMs = Date.parse(value("date"));
  return { startedAtMs: Number.isNaN(startedAtMs) ? undefined : startedAtMs, events: parseEvents(value("comment")) };
}

function parseEvents(comment: string): readonly string[] | undefined {
  try {
    const { events } = JSON.parse(comment) as { events?: unknown };
    return Array.isArray(events) ? events.map(String) : undefined;
  } catch {
    return undefined;
  }
}

type ClipFilesDeps = {
  /** The clips folder; absolute. */
  readonly dir: string;
  /** Resolves to undefined if there is no ffmpeg. Without one, no file can be verified, and so none is saved. */
  readonly ffmpeg: () => Promise<{ readonly path: string } | undefined>;
};

/** A file that was verified and has its final name. */
export type VerifiedFile = {
  /** Relative to the clips folder. */
  readonly file: string;
  readonly bytes: number;
  /** Measured in the file; 0 for a screenshot. */
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Only of a video. */
  readonly soundTracks?: number;
  /** True if it has the microphone as a second sound track. */
  readonly microphone?: boolean;
  /** What a person should know about the file. */
  readonly notes: readonly Message[];
  /** The file of an earlier cut, which had another name. It is to be deleted once the row of the clip names the new file. */
  readonly outdated: string | null;
};

type NamedFile = Pick<VerifiedFile, "file" | "bytes" | "outdated">;

/** `replaces` is the file of an earlier cut of the clip. The new file takes its place, unless it needs another name. */
type SaveAsOptions = FileNameParts & { readonly replaces?: string | null };

const pictureEndings = { poster: ".jpg", thumbnail: ".small.jpg", preview: ".mp4" } as const;
export type PictureKind = keyof typeof pictureEndings;
const pictureKinds = Object.keys(pictureEndings) as PictureKind[];

const mediaFolder = ".media";
const videoExtension = ".mp4";
const pictureExtension = ".jpg";
const durationOffMaxMs = 500;
const pictureBytesMax = 64 * 1024 * 1024;

/** The footage that a cut says it has written. */
type ExpectedFootage = Pick<Footage, "fromMs" | "toMs" | "frames">;

/** Returns how the file differs from what the cut reported; undefined if it does not. */
function differenceFrom(footage: ExpectedFootage, facts: VideoFacts): Message | undefined {
  const wantedMs = footage.toMs - footage.fromMs;
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  if (Math.abs(facts.durationMs - wantedMs) > durationOffMaxMs) {
    return message("file.wrong_length", { seconds: seconds(facts.durationMs), wanted: seconds(wantedMs) });
  }
  return facts.frames === footage.frames
    ? undefined
    : message("file.wrong_frames", { frames: facts.frames, wanted: footage.frames });
}

const fileFacts = ({ durationMs, width, height, frames, isBlack }: VideoFacts) => {
  const notes = isBlack ? [message("clip.is_black")] : [];
  return { durationMs, width, height, frames, notes };
};

/** Adds what the head of the file says about its tracks. */
async function withTracks<Facts extends { notes: Message[] }>(facts: Facts, path: string) {
  // Loaded when the first file is read, because the MP4 code that it imports takes memory.
  const { readTracks } = await import("../trim/copy-trim.ts");
  const { soundTracks, hasMicrophone, rareCodec } = await readTracks(path);
  const rare = rareCodec === null ? [] : [message("clip.rare_codec", { codec: rareCodec })];
  return { ...facts, notes: [...facts.notes, ...rare], soundTracks, ...(hasMicrophone && { microphone: true }) };
}

/** What is known of a file before it is verified, so that less is left to verify. */
type KnownContents = {
  /** A shorter version of the file was verified. */
  readonly rehearsal?: Rehearsal | undefined;
  /** The file is merged from copies of verified files, and has a keyframe of each at these seconds. */
  readonly keyframes?: readonly number[] | undefined;
};

export class ClipFiles {
  readonly #dir: string;
  readonly #findFfmpeg: ClipFilesDeps["ffmpeg"];

  constructor({ dir, ffmpeg }: ClipFilesDeps) {
    this.#dir = dir;
    this.#findFfmpeg = ffmpeg;
  }

  /** Returns a path in the clips folder. Throws if the path would be outside. */
  absolutePath(...parts: readonly string[]): string {
    const path = resolve(this.#dir, ...parts);
    const inside = relative(this.#dir, path);
    if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
      throw new Error("a path outside the clips folder");
    return path;
  }

  partPath(id: string): string {
    return this.absolutePath(`${id}.part`);
  }

  rehearsalPath(id: string): string {
    return this.absolutePath(`${id}.mp4.part`);
  }

  picturePath(id: string, what: PictureKind): string {
    return this.absolutePath(mediaFolder, id + pictureEndings[what]);
  }

  discard(path: string): Promise<void> {
    return removeWithRetry(path, { force: true });
  }

  /** Must be called before the first file is written. */
  async createFolders(): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    for (const folder of [this.absolutePath(mediaFolder), this.absolutePath(trashFolder)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // An earlier Kit created them with the user's umask. The clips folder itself may be the user's, so its mode stays.
      await chmod(folder, 0o700);
    }
  }

  /**
   * Verifies a partial file, and gives it its final name. Compares it with `footage` if that is known. Throws VerifyFailed,
   * FfmpegFailed, FileInUse or a file system error, and then leaves the partial file where it is.
   */
  async saveVideo(
    id: string,
    part: string,
    footage: ExpectedFootage | undefined,
    as: SaveAsOptions,
    known: KnownContents = {},
  ): Promise<VerifiedFile> {
    const facts = await (footage === undefined ? this.#verifyVideo(part) : this.#verifyCut(part, footage, known));
    const trashPath = this.absolutePath(trashFileName(id, videoExtension));
    // If a person has moved the earlier cut to the trash meanwhile, another clip may have its file name.
    const isTrashed = (await stat(trashPath).catch(() => undefined)) !== undefined;
    const named = await this.#nameFile(part, isTrashed ? { ...as, replaces: null } : as, videoExtension);
    await this.discard(trashPath);
    return { ...named, ...(await withTracks(fileFacts(facts), this.absolutePath(named.file))) };
  }

  /** Verifies a shorter version of a clip, so that `saveVideo` has less left to verify. */
  async rehearse(path: string): Promise<Rehearsal | undefined> {
    return verifyBeginning(await this.#ffmpeg(), path);
  }

  /** Resolves to undefined if the file cannot be read. */
  async readMetadata(file: string): Promise<ClipMetadata | undefined> {
    const program = await this.#findFfmpeg();
    return program && parseMetadata(program, this.absolutePath(file)).catch(() => undefined);
  }

  /** Verifies a file that already has its final name. */
  async verify(file: string): Promise<VerifiedFile> {
    const path = this.absolutePath(file);
    const isImage = file.endsWith(pictureExtension);
    const facts = isImage
      ? fileFacts(await this.#verifyImage(path))
      : await withTracks(fileFacts(await this.#verifyVideo(path)), path);
    return { file, bytes: (await stat(path)).size, outdated: null, ...facts };
  }

  /** Saves one frame of a partial file, at the given time, as an image. Verifies it like a video. */
  async saveScreenshot(id: string, part: string, offsetMs: number, as: SaveAsOptions): Promise<VerifiedFile> {
    const picture = this.absolutePath(`${id}.jpg.part`);
    await writeFile(picture, await this.#frameAt(part, offsetMs, { scale: "iw:ih", quality: 2 }));
    try {
      const facts = await this.#verifyImage(picture);
      return { ...(await this.#nameFile(picture, as, pictureExtension)), ...fileFacts(facts) };
    } finally {
      await this.discard(picture);
    }
  }

  /** Saves the frame at the given time as the poster of a clip, and a thumbnail of it. */
  async makePoster(id: string, file: string, offsetMs: number): Promise<void> {
    await this.#makePicture(id, "poster", this.absolutePath(file), offsetMs, posterWidth);
    await this.#makePicture(id, "thumbnail", this.picturePath(id, "poster"), 0, thumbnailWidth);
  }

  /**
   * Saves a few silent seconds around the given time as the preview. Must not run during a cut: it takes a second of processor
   * time.
   */
  async makePreview(id: string, file: string, offsetMs: number, signal?: AbortSignal): Promise<void> {
    const part = `${this.picturePath(id, "preview")}.part`;
    try {
      const job = { outBytesMax: 0, ...(signal && { signal }) };
      await runFfmpeg(await this.#ffmpeg(), previewArguments(this.absolutePath(file), offsetMs, part), job);
      await replaceFile(part, this.picturePath(id, "preview"));
    } finally {
      await this.discard(part);
    }
  }

  async removePictures(id: string): Promise<void> {
    await Promise.all(pictureKinds.map((what) => this.discard(this.picturePath(id, what))));
  }

  async #ffmpeg(): Promise<{ readonly path: string }> {
    const found = await this.#findFfmpeg();
    if (found === undefined) throw new VerifyFailed(message("file.no_ffmpeg_to_verify"));
    return found;
  }

  /** Gives the file its final name. Makes its contents durable before, so that no half file ever has that name. */
  async #nameFile(part: string, as: SaveAsOptions, extension: string): Promise<NamedFile> {
    await syncFile(part);
    const bytes = (await stat(part)).size;
    const { replaces = null } = as;
    const base = fileBaseName(as);
    if (replaces === null || !isNamedAfter(replaces, base, extension))
      return { file: await renameToFreeName(part, this.#dir, base, extension), bytes, outdated: replaces };
    await replaceFile(part, this.absolutePath(replaces));
    return { file: replaces, bytes, outdated: null };
  }

  async #frameAt(source: string, offsetMs: number, look: PictureLook): Promise<Buffer> {
    const job = { outBytesMax: pictureBytesMax };
    const picture = await readPicture(await this.#ffmpeg(), pictureArguments(source, offsetMs, look), job);
    // After the last frame, the first one is better than none.
    if (picture.length > 0 || offsetMs === 0) return picture;
    return this.#frameAt(source, 0, look);
  }

  async #makePicture(id: string, what: PictureKind, source: string, atMs: number, width: number): Promise<void> {
    const picture = await this.#frameAt(source, atMs, { scale: `${width}:-2`, quality: 4 });
    if (picture.length === 0) throw new VerifyFailed(message("file.no_frame_at_time"));
    const path = this.picturePath(id, what);
    await writeFile(`${path}.part`, picture);
    await replaceFile(`${path}.part`, path);
  }

  async #verifyVideo(path: string): Promise<VideoFacts> {
    if (!(await isWholeMp4(path))) throw new VerifyFailed(message("file.end_missing"));
    return probeVideo(await this.#ffmpeg(), path);
  }

  /** Verifies a file: only what is not known, or all of it if anything unexpected is found. */
  async #verifyCut(
    part: string,
    footage: ExpectedFootage,
    { rehearsal, keyframes }: KnownContents,
  ): Promise<VideoFacts> {
    const verifyUnknown = async (): Promise<VideoFacts | undefined> => {
      if (rehearsal !== undefined) return verifyRest(await this.#ffmpeg(), part, rehearsal);
      return keyframes === undefined ? undefined : verifyMerge(await this.#ffmpeg(), part, keyframes);
    };
    if (await isWholeMp4(part)) {
      const facts = await verifyUnknown().catch(() => undefined);
      if (facts !== undefined && differenceFrom(footage, facts) === undefined) return facts;
    }
    const facts = await this.#verifyVideo(part);
    const difference = differenceFrom(footage, facts);
    if (difference !== undefined) throw new VerifyFailed(difference);
    return facts;
  }

  /** Sets the duration to 0: for an image, ffmpeg reports the duration of one frame. */
  async #verifyImage(path: string): Promise<VideoFacts> {
    return { ...(await probeVideo(await this.#ffmpeg(), path, "jpeg_pipe")), durationMs: 0 };
  }
}
