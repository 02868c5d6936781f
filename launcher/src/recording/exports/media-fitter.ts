// Makes clips and screenshots fit the limits of a target, one at a time. Encodes them again only if they do not fit yet.
import { constants, copyFile, rm, stat, writeFile } from "node:fs/promises";
import { type CropRectangle, type ExportFormat, type Message, uprightPart } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { DiskNearlyFull, formatDiskSize, minFreeBytes, readDiskSpace } from "../clips/cleanup.ts";
import { pictureArguments } from "../clips/clip-files.ts";
import { replaceFile, syncFile } from "../clips/file-names.ts";
import { probeVideo, VerifyFailed } from "../clips/verify.ts";
import { checkFeatures } from "../ffmpeg/features.ts";
import { noFfmpegMessage } from "../ffmpeg/find.ts";
import { FfmpegFailed, runFfmpeg } from "../ffmpeg/run.ts";
import { createBoundedQueue } from "../jobs/bounded-queue.ts";
import { encodeAnimation, measureAnimation } from "./animation.ts";
import { type CopyPaths, type FileKind, mimeTypes, openCopyFolder } from "./copy-folder.ts";
import {
  CannotFit,
  type EncodingFfmpeg,
  encodeInTwoPasses,
  type FittedMedia,
  type FrameSize,
  formatBytes,
  isWithinLimits,
  type MediaFacts,
  type MediaLimits,
  type MediaToFit,
  measureClip,
  planEncoding,
  removePassLogs,
  type SelectedRange,
  type SourceFacts,
  selectRange,
  sizeWithinLimits,
  type TimeRange,
} from "./encode.ts";

const probeJob = { outBytesMax: 4 * 1024 * 1024 } as const;
const read = (path: string) => ["-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp4", "-i", `file:${path}`];
/** How many frames are read to measure the frame rate. The sound has no such limit: newer versions of ffmpeg would end both with it. */
const picturesMax = 300;

/** Throws VerifyFailed if the clip has no video frame, and FfmpegFailed. */
export async function probeClip(
  ffmpeg: { readonly path: string },
  path: string,
): Promise<Pick<SourceFacts, "width" | "height" | "frameRate" | "hasSound">> {
  const some = ["-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-frames:v", String(picturesMax)];
  const { stdout } = await runFfmpeg(ffmpeg, [...read(path), ...some, "-f", "framecrc", "pipe:1"], probeJob);
  const said = stdout.toString("latin1");
  const [, numerator = 0, denominator = 1] = (/^#tb 0: (\d+)\/(\d+)/m.exec(said) ?? []).map(Number);
  const [, width = 0, height = 0] = (/^#dimensions 0: (\d+)x(\d+)/m.exec(said) ?? []).map(Number);
  const lasted = [...said.matchAll(/^0, *-?\d+, *-?\d+, *(\d+),/gm)].map(([, ticks]) => Number(ticks));
  const seconds = (lasted.reduce((sum, ticks) => sum + ticks, 0) * numerator) / denominator;
  if (width === 0 || seconds === 0) throw new VerifyFailed(message("file.no_video_frame"));
  return { width, height, frameRate: lasted.length / seconds, hasSound: /^#media_type 1: audio/m.test(said) };
}

/** Returns the times of the moments in a clip, in seconds. They are the starts of its chapters. */
export async function chapterTimes(ffmpeg: { readonly path: string }, path: string): Promise<number[]> {
  const said = await runFfmpeg(ffmpeg, [...read(path), "-f", "ffmetadata", "pipe:1"], probeJob).catch(() => undefined);
  const chapters = (said?.stdout.toString() ?? "").matchAll(/^\[CHAPTER\]\nTIMEBASE=(\d+)\/(\d+)\nSTART=(\d+)$/gm);
  return [...chapters].map(
    ([, numerator, denominator, ticks]) => (Number(ticks) * Number(numerator)) / Number(denominator),
  );
}

/** JPEG qualities to try, as ffmpeg counts them: 2 is the best. For each size, the quality is reduced first. */
const qualities = [3, 6, 10, 15];
const sizeShares = [1, 0.75, 0.5, 0.35];

/** Throws CannotFit if the smallest version is still too large. */
async function encodeImage(
  ffmpeg: { readonly path: string },
  source: FrameSize & { readonly path: string },
  limits: MediaLimits,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<Buffer> {
  const versions = sizeShares.flatMap((share) =>
    qualities.map((quality) => ({ ...sizeWithinLimits(source, limits, share), quality })),
  );
  let smallestBytes = Number.POSITIVE_INFINITY;
  for (const [index, { width, height, quality }] of versions.entries()) {
    const args = pictureArguments(source.path, 0, { scale: `${width}:${height}:flags=area`, quality });
    // Accepts more than the limit, because the error at the end says how much would be needed.
    const job = { outBytesMax: 64 * 1024 * 1024, isBackground: true, signal } as const;
    const { stdout } = await runFfmpeg(ffmpeg, args, job);
    if (stdout.length > 0 && stdout.length <= limits.bytesMax) return stdout;
    smallestBytes = Math.min(smallestBytes, stdout.length);
    onProgress((index + 1) / versions.length);
  }
  throw new CannotFit(
    message("export.image_does_not_fit", { limit: formatBytes(limits.bytesMax), needed: formatBytes(smallestBytes) }),
  );
}

export type CopyShape = {
  readonly format: ExportFormat;
  readonly range: TimeRange | undefined;
  /** Keeps the part that is 9:16, at this position from 0 to 1. */
  readonly cropPosition: number | undefined;
  /** True mixes the microphone into the sound, if there is one. */
  readonly microphone?: boolean;
};
const wholeClip: CopyShape = { format: "mp4", range: undefined, cropPosition: undefined };

/** A copy in a shape that a person chose. */
export type ShapedMedia = Omit<FittedMedia, "mime"> & { readonly mime: (typeof mimeTypes)[FileKind] };

export type FitOptions = {
  /** Name of the copy, of letters, digits, `-` and `_`. The same file and limits must have the same name. */
  readonly name: string;
  /** Called with increasing values from 0 to 1. */
  onProgress(share: number): void;
  readonly signal: AbortSignal;
  /** Called when the work starts after waiting in the queue. */
  onBegin?(): void;
  /** Also copies a file that fits already, so that the copy is left if the original is deleted. */
  readonly copies?: true;
  /** Leaves out title, events and chapters, which repeat texts of the game. So even a file that fits is copied. */
  readonly plain?: boolean;
};

type ShapeOptions = FitOptions & {
  /** What to make of a clip. By default all of it, as an MP4. */
  readonly shape?: CopyShape;
};

export type MediaFitterDeps = {
  /** Folder of the copies; absolute. */
  readonly dir: string;
  readonly ffmpeg: () => Promise<EncodingFfmpeg | undefined>;
  /** Maximum size of the folder. For tests. */
  readonly bytesMax?: number;
};

export type FitMedia = MediaFitter["fit"];

const waitingMax = 200;
const attemptsMax = 3;
/** If a file came out too large, the next attempt aims at this share of the size that would have been right. */
const retryShare = 0.96;

/** Loaded with the first copy, because the MP4 code that it imports takes memory. */
const loadCopyTrim = () => import("../trim/copy-trim.ts");

const usualTracks = { soundTracks: 1, rareCodec: null };

/** A file that is gone counts as a usual one: what reads it next says so. */
async function tracksOf({ kind, path }: MediaToFit) {
  const gone = (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? usualTracks : Promise.reject(error));
  const { readTracks } = await loadCopyTrim();
  const { soundTracks, rareCodec } = kind === "clip" ? await readTracks(path).catch(gone) : usualTracks;
  return { hasSecondSound: soundTracks > 1, rareCodec };
}

const diskBecameFull = /ENOSPC|No space left on device/;
const isDiskFull = (error: unknown): boolean =>
  diskBecameFull.test(error instanceof FfmpegFailed ? error.stderr : String((error as NodeJS.ErrnoException).code));

/** Compares with the part of the clip that was asked for. */
function differenceNotes(
  media: Pick<MediaFacts, "width" | "height" | "seconds">,
  made: MediaFacts,
  { seconds, isAroundMoment }: SelectedRange,
): Message[] {
  const isSmaller = made.width < media.width || made.height < media.height;
  const part = { seconds: seconds.toFixed(1), wanted: media.seconds.toFixed(1) };
  return [
    ...(seconds < media.seconds
      ? [isAroundMoment ? message("export.part_around_moment", part) : message("export.part_at_end", part)]
      : []),
    ...(isSmaller
      ? [
          message("export.smaller_picture", {
            width: made.width,
            height: made.height,
            fullWidth: media.width,
            fullHeight: media.height,
          }),
        ]
      : []),
  ];
}

/** Reports progress in steps of at least 0.5 %. */
function limitProgress(onProgress: (share: number) => void): (share: number) => void {
  let reported = 0;
  return (share) => {
    if (share < reported + 0.005 && share < 1) return;
    reported = share;
    onProgress(share);
  };
}

type FitJob = {
  readonly media: MediaToFit;
  readonly limits: MediaLimits;
  readonly signal: AbortSignal;
  /** True if the file fits already, so that it is only copied. */
  readonly isCopy: boolean;
  /** True if only the frames and the first sound track are copied. The others stay on this computer. */
  readonly isPlain: boolean;
  readonly shape: CopyShape;
  readonly mixesMicrophone: boolean;
  readonly crop: CropRectangle | undefined;
  readonly paths: CopyPaths;
  readonly onProgress: (share: number) => void;
};

export class MediaFitter {
  readonly #dir: string;
  readonly #findFfmpeg: MediaFitterDeps["ffmpeg"];
  readonly #folder: ReturnType<typeof openCopyFolder>;
  readonly #queue = createBoundedQueue({ concurrency: 1, waitingMax });
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor({ dir, ffmpeg, bytesMax }: MediaFitterDeps) {
    this.#dir = dir;
    this.#findFfmpeg = ffmpeg;
    this.#folder = openCopyFolder(dir, bytesMax);
  }

  /** Returns a file that fits. Throws CannotFit, DiskNearlyFull, FfmpegFailed, VerifyFailed, the signal's reason, or a file system error. */
  readonly fit = (media: MediaToFit, limits: MediaLimits, options: FitOptions): Promise<FittedMedia> =>
    this.makeCopy(media, limits, options) as Promise<FittedMedia>;

  /** As `fit`, in a shape that a person chose. */
  readonly makeCopy = async (media: MediaToFit, limits: MediaLimits, options: ShapeOptions): Promise<ShapedMedia> => {
    const file = await stat(media.path).catch(() => undefined);
    if (!file?.isFile()) throw new CannotFit(message("export.file_gone"));
    const { shape = wholeClip } = options;
    const isWhole = shape.format === "mp4" && shape.range === undefined && shape.cropPosition === undefined;
    const needsFrameRate = isWhole && media.kind === "clip" && limits.frameRateMax !== undefined;
    const frameRate = needsFrameRate ? (await probeClip(await this.#ffmpeg(), media.path)).frameRate : undefined;
    const source = { ...media, bytes: file.size, frameRate };
    const { hasSecondSound, rareCodec } = await tracksOf(media);
    const mixesMicrophone = shape.microphone === true && shape.format === "mp4" && hasSecondSound;
    const isCopy = isWhole && !mixesMicrophone && rareCodec === null && isWithinLimits(source, limits);
    if (isCopy && !options.copies && !options.plain && !hasSecondSound) {
      options.onProgress(1);
      const { path, kind, seconds, width, height } = media;
      const mime = mimeTypes[kind === "clip" ? "mp4" : "jpg"];
      return { path, bytes: file.size, seconds, width, height, mime, changed: false, notes: [] };
    }
    const signal = AbortSignal.any([options.signal, this.#stopped.signal]);
    const crop = shape.cropPosition === undefined ? undefined : uprightPart(media, shape.cropPosition);
    const request = { media, limits, signal, isCopy, shape, crop, mixesMicrophone };
    const fitting = this.#queue.add(() => this.#fitNow(request, source, options));
    this.#running.add(fitting);
    return fitting.finally(() => this.#running.delete(fitting));
  };

  /** Deletes what an earlier launcher left unfinished. Call it at the start. */
  async removeUnfinished(): Promise<void> {
    if (this.#running.size === 0) await this.#folder.removeUnfinished();
  }

  /** Resolves when all work has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error("the launcher ends"));
    await Promise.allSettled(this.#running);
  }

  async #fitNow(
    request: Omit<FitJob, "paths" | "onProgress" | "isPlain">,
    source: MediaFacts,
    { name, onProgress, onBegin, plain = false }: FitOptions,
  ): Promise<ShapedMedia> {
    const { media, limits, signal, isCopy, shape, crop, mixesMicrophone } = request;
    signal.throwIfAborted();
    onBegin?.();
    const { hasSecondSound, rareCodec } = await tracksOf(media);
    const kind = media.kind === "clip" ? shape.format : "jpg";
    const paths = this.#folder.pathsFor(name, kind);
    await this.#folder.create();
    const wanted = shape.range ?? { fromSeconds: 0, seconds: source.seconds };
    const range = await this.#selectRange(media, wanted, limits);
    const report = limitProgress(onProgress);
    const isPlain = hasSecondSound || plain;
    const job = { ...request, isPlain, paths, onProgress: (share: number) => report(share * 0.99) };
    const made = (await this.#existingCopy(paths.path, kind, limits)) ?? (await this.#make(job, source, range));
    await this.#folder.touch(paths.path);
    report(1);
    const { seconds, width, height, bytes } = made;
    const notes = differenceNotes({ ...source, ...crop, seconds: wanted.seconds }, made, range);
    if (hasSecondSound && kind === "mp4")
      notes.push(mixesMicrophone ? message("export.with_microphone") : message("export.first_sound_only"));
    if (rareCodec !== null && kind === "mp4") notes.push(message("export.converted", { codec: rareCodec }));
    const changed = !isCopy || hasSecondSound;
    return { path: paths.path, bytes, seconds, width, height, mime: mimeTypes[kind], changed, notes };
  }

  /** Chooses the part of the wanted range that the limits allow. */
  async #selectRange(
    { path, kind }: MediaToFit,
    wanted: TimeRange,
    { secondsMax }: MediaLimits,
  ): Promise<SelectedRange> {
    const isTooLong = kind === "clip" && wanted.seconds > (secondsMax ?? Number.POSITIVE_INFINITY);
    const moments = isTooLong ? await chapterTimes(await this.#ffmpeg(), path) : [];
    const inRange = moments.map((at) => at - wanted.fromSeconds).filter((at) => at >= 0 && at <= wanted.seconds);
    const selected = selectRange(wanted.seconds, secondsMax, inRange);
    return { ...selected, fromSeconds: wanted.fromSeconds + selected.fromSeconds };
  }

  /** Returns the facts of the copy that an earlier call made; undefined if it is damaged or does not fit. */
  async #existingCopy(path: string, kind: FileKind, limits: MediaLimits): Promise<MediaFacts | undefined> {
    const file = await stat(path).catch(() => undefined);
    const facts = file && (await this.#measure(path, kind).catch(() => undefined));
    return facts !== undefined && isWithinLimits(facts, limits) ? facts : undefined;
  }

  async #make(job: FitJob, source: MediaFacts, range: SelectedRange): Promise<MediaFacts> {
    const { media, signal, isCopy, paths } = job;
    try {
      const encodeMedia = () =>
        media.kind === "clip" ? this.#encodeClip(job, source, range) : this.#encodeScreenshot(job);
      // The clip may have been deleted while this waited for its turn.
      await stat(media.path);
      const made = await (isCopy ? this.#copy(job, source.bytes) : encodeMedia());
      signal.throwIfAborted();
      await syncFile(paths.part);
      await replaceFile(paths.part, paths.path);
      await this.#folder.prune();
      return made;
    } catch (error) {
      signal.throwIfAborted();
      if (isDiskFull(error)) throw new DiskNearlyFull(message("disk.became_full"));
      if ((await stat(media.path).catch(() => undefined)) === undefined)
        throw new CannotFit(message("export.file_gone"));
      throw error;
    } finally {
      await rm(paths.part, { force: true });
      await removePassLogs(paths.log);
    }
  }

  async #encodeClip(job: FitJob, source: MediaFacts, range: SelectedRange): Promise<MediaFacts> {
    const { media, limits, signal, paths, onProgress, crop, shape, mixesMicrophone } = job;
    const ffmpeg = await this.#ffmpeg();
    await checkFeatures(ffmpeg, shape.format);
    const facts = { ...source, ...(await probeClip(ffmpeg, media.path)), ...crop };
    if (shape.format !== "mp4") {
      await this.#checkDiskSpace(limits.bytesMax);
      const files = { ...paths, source: media.path };
      const request = { format: shape.format, range, crop };
      return encodeAnimation(facts, request, limits, files, { ffmpeg, signal, onProgress });
    }
    let wantedBytes = limits.bytesMax;
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const plan = { ...planEncoding(facts, limits, range, wantedBytes), mixesMicrophone, ...(crop && { crop }) };
      await this.#checkDiskSpace(wantedBytes);
      const made = await encodeInTwoPasses(plan, { ...paths, source: media.path }, { ffmpeg, signal, onProgress });
      if (isWithinLimits(made, limits)) return made;
      wantedBytes = Math.floor(Math.min(wantedBytes, (wantedBytes * limits.bytesMax) / made.bytes) * retryShare);
    }
    throw new CannotFit(message("export.not_small_enough", { limit: formatBytes(limits.bytesMax) }));
  }

  async #encodeScreenshot({ media, limits, signal, paths, onProgress }: FitJob): Promise<MediaFacts> {
    const { width, height } = await this.#measureImage(media.path);
    const ffmpeg = await this.#ffmpeg();
    const image = await encodeImage(ffmpeg, { path: media.path, width, height }, limits, { signal, onProgress });
    await writeFile(paths.part, image, { mode: 0o600 });
    return this.#measureImage(paths.part);
  }

  async #copy({ media, limits, paths, isPlain, signal }: FitJob, bytes: number): Promise<MediaFacts> {
    await this.#checkDiskSpace(bytes);
    if (isPlain) await (await loadCopyTrim()).copyWithFirstSound(media.path, paths.part, signal);
    else await copyFile(media.path, paths.part, constants.COPYFILE_FICLONE);
    const made = await this.#measure(paths.part, media.kind === "clip" ? "mp4" : "jpg");
    if (!isWithinLimits(made, limits)) throw new CannotFit(message("file.changed_meanwhile"));
    return made;
  }

  async #ffmpeg(): Promise<EncodingFfmpeg> {
    const found = await this.#findFfmpeg();
    if (found === undefined) throw new FfmpegFailed(noFfmpegMessage());
    return found;
  }

  async #checkDiskSpace(bytes: number): Promise<void> {
    const disk = await readDiskSpace(this.#dir);
    if (disk.freeBytes - bytes >= minFreeBytes(disk)) return;
    const shown = { free: formatDiskSize(disk.freeBytes), floor: formatDiskSize(minFreeBytes(disk)) };
    throw new DiskNearlyFull(message("disk.nearly_full", shown));
  }

  async #measure(path: string, kind: FileKind): Promise<MediaFacts> {
    if (kind === "jpg") return this.#measureImage(path);
    const ffmpeg = await this.#ffmpeg();
    return kind === "mp4" ? measureClip(ffmpeg, path) : measureAnimation(ffmpeg, path, kind);
  }

  async #measureImage(path: string): Promise<MediaFacts> {
    const { width, height } = await probeVideo(await this.#ffmpeg(), path, "jpeg_pipe");
    return { seconds: 0, width, height, frameRate: undefined, bytes: (await stat(path)).size };
  }
}
