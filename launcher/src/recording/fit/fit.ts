// Makes clips and screenshots fit where they are posted: as they are where they may be, else encoded anew. One at a time.
import { constants, copyFile, mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DiskNearlyFull, diskOf, floorOf, sizeInWords } from "../clips/disk.ts";
import { pictureArguments } from "../clips/picture.ts";
import { renameOver, syncFile } from "../clips/replace-file.ts";
import { probeVideo } from "../clips/verify.ts";
import { createCutQueue } from "../cut-queue.ts";
import { howToInstall } from "../ffmpeg/find.ts";
import { FfmpegFailed, runFfmpeg } from "../ffmpeg/run.ts";
import { type Encoder, encode, measure, removePasses } from "./encode.ts";
import { encodePlanOf, type Stretch, stretchOf } from "./encode-plan.ts";
import {
  bytesInWords,
  CannotFit,
  type Fitted,
  isWithin,
  type Measured,
  type Media,
  type MediaLimits,
  type Size,
  sizeWithin,
} from "./limits.ts";
import { momentsIn, probeClip } from "./source.ts";

const bytesMax = 2_000_000_000;
const wholeName = /^[A-Za-z0-9_-]{1,100}\.(mp4|jpg)$/;
const nameGiven = /^[A-Za-z0-9_-]{1,100}$/;

/** Where fitted copies lie: named by who asked for them, bounded, and without anything half done. */
function createFittedFolder(dir: string, most = bytesMax) {
  const remove = (name: string) => rm(join(dir, name), { force: true, recursive: true }).catch(() => undefined);
  const whole = async () => {
    const names = (await readdir(dir).catch(() => [])).filter((name) => wholeName.test(name));
    const found = await Promise.all(
      names.map(async (name) => ({ name, is: await stat(join(dir, name)).catch(() => undefined) })),
    );
    return found.flatMap(({ name, is }) => (is ? [{ name, bytes: is.size, atMs: is.mtimeMs }] : []));
  };
  return {
    /** Throws when the name could lead anywhere else. */
    pathsOf(name: string, kind: "clip" | "screenshot") {
      if (!nameGiven.test(name)) throw new Error("a fitted file's name is of letters, digits, - and _ only");
      const path = join(dir, `${name}.${kind === "clip" ? "mp4" : "jpg"}`);
      return { path, part: `${path}.part`, log: `${path}.pass` };
    },
    prepare: () => mkdir(dir, { recursive: true, mode: 0o700 }),
    /** At the start: what an ended launcher left half done. */
    async tidy(): Promise<void> {
      const names = await readdir(dir).catch(() => []);
      await Promise.all(names.filter((name) => !wholeName.test(name)).map(remove));
    },
    /** It is of use now: others go first. */
    async touch(path: string): Promise<void> {
      const now = new Date();
      await utimes(path, now, now);
    },
    /** The ones that were of no use for longest go until the rest has its bound. */
    async prune(): Promise<void> {
      const all = (await whole()).toSorted((a, b) => b.atMs - a.atMs);
      let bytes = 0;
      for (const [index, file] of all.entries()) {
        bytes += file.bytes;
        if (bytes > most && index > 0) await remove(file.name);
      }
    },
  };
}

// A screenshot becomes smaller: first by quality, then by size.

/** ffmpeg's scale: 2 is best. */
const qualities = [3, 6, 10, 15];
const shares = [1, 0.75, 0.5, 0.35];
const timeoutMs = 20_000;

/** Throws CannotFit when the smallest one is too large still. */
async function fitPicture(
  ffmpeg: { readonly path: string },
  source: Size & { readonly path: string },
  limits: MediaLimits,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
): Promise<Buffer> {
  const tries = shares.flatMap((share) =>
    qualities.map((quality) => ({ ...sizeWithin(source, limits, share), quality })),
  );
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { width, height, quality }] of tries.entries()) {
    const args = ["-vf", `scale=${width}:${height}:flags=area`, "-q:v", String(quality)];
    // One byte too many would be enough to know, but how many it takes is said at the end.
    const job = { outBytesMax: 64 * 1024 * 1024, timeoutMs, signal };
    const { stdout } = await runFfmpeg(ffmpeg, pictureArguments(source.path, 0, args), job);
    if (stdout.length > 0 && stdout.length <= limits.bytesMax) return stdout;
    least = Math.min(least, stdout.length);
    onProgress((index + 1) / tries.length);
  }
  throw new CannotFit(
    `The picture does not fit into ${bytesInWords(limits.bytesMax)}: it needs ${bytesInWords(least)} at least.`,
  );
}

export type FitOptions = {
  /** Names the copy: the same for the same file and limits. Letters, digits, `-` and `_`. */
  readonly name: string;
  /** From 0 to 1, never less than before. */
  onProgress(share: number): void;
  readonly signal: AbortSignal;
  /** Its turn has come. */
  onBegin?(): void;
  /** What fits as it is gets a copy of its own, which stays when the file goes. */
  readonly copies?: true;
};

export type FitNeeds = {
  /** The folder of the copies; absolute. */
  readonly dir: string;
  readonly ffmpeg: () => Promise<Encoder | undefined>;
  /** Tests set it. */
  readonly bytesKept?: number;
};

export type Fit = ReturnType<typeof createFit>;

const waitingMax = 200;
const attemptsMax = 3;
/** Of the size it came out at: what is aimed at next. */
const aimedAgain = 0.96;

const mimeOf = (kind: Media["kind"]): Fitted["mime"] => (kind === "clip" ? "video/mp4" : "image/jpeg");

type Kept = Stretch & { readonly isAroundMoment: boolean };

function notesOf(media: Measured, made: Measured, { seconds, isAroundMoment }: Kept): string[] {
  const isSmaller = made.width < media.width || made.height < media.height;
  const which = isAroundMoment ? "around its moment" : "at its end";
  return [
    ...(seconds < media.seconds
      ? [`${seconds.toFixed(1)} of ${media.seconds.toFixed(1)} s, ${which}: no more is taken there`]
      : []),
    ...(isSmaller ? [`${made.width}×${made.height} instead of ${media.width}×${media.height}`] : []),
  ];
}

/** Reports only what is more than before, and not every picture. */
function risingOnly(onProgress: (share: number) => void): (share: number) => void {
  let told = 0;
  return (share) => {
    if (share < told + 0.005 && share < 1) return;
    told = share;
    onProgress(share);
  };
}

export function createFit({ dir, ffmpeg: find, bytesKept }: FitNeeds) {
  const folder = createFittedFolder(dir, bytesKept);
  const queue = createCutQueue({ concurrency: 1, waitingMax });
  const ended = new AbortController();
  const running = new Set<Promise<unknown>>();

  const ffmpeg = async () => {
    const found = await find();
    if (found === undefined) throw new FfmpegFailed(howToInstall());
    return found;
  };
  const makeSureOfRoom = async (bytes: number) => {
    const disk = await diskOf(dir);
    if (disk.freeBytes - bytes >= floorOf(disk)) return;
    const free = sizeInWords(disk.freeBytes);
    const floor = sizeInWords(floorOf(disk));
    throw new DiskNearlyFull(`the disk is nearly full: ${free} free, and ${floor} are left free`);
  };
  const measurePicture = async (path: string): Promise<Measured> => {
    const { width, height } = await probeVideo(await ffmpeg(), path, "jpeg_pipe");
    return { seconds: 0, width, height, frameRate: undefined, bytes: (await stat(path)).size };
  };
  const measured = async (path: string, kind: Media["kind"]) =>
    kind === "clip" ? measure(await ffmpeg(), path) : measurePicture(path);
  /** What an earlier call made of it; undefined when there is none that fits. */
  const earlier = async (path: string, kind: Media["kind"], limits: MediaLimits): Promise<Measured | undefined> => {
    const isThere = await stat(path).catch(() => undefined);
    const made = isThere && (await measured(path, kind).catch(() => undefined));
    return made !== undefined && isWithin(made, limits) ? made : undefined;
  };

  type Job = {
    readonly media: Media;
    readonly limits: MediaLimits;
    readonly signal: AbortSignal;
    readonly isCopy: boolean;
  };
  type Files = ReturnType<typeof folder.pathsOf>;
  const makeClip = async (
    job: Job,
    source: Measured,
    kept: Kept,
    files: Files,
    onProgress: (share: number) => void,
  ) => {
    const { media, limits, signal } = job;
    const program = await ffmpeg();
    const about = { ...source, ...(await probeClip(program, media.path)) };
    let bytesWanted = limits.bytesMax;
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const plan = encodePlanOf(about, limits, kept, bytesWanted);
      await makeSureOfRoom(bytesWanted);
      const made = await encode(plan, { ...files, source: media.path }, { ffmpeg: program, signal, onProgress });
      if (isWithin(made, limits)) return made;
      bytesWanted = Math.floor(Math.min(bytesWanted, (bytesWanted * limits.bytesMax) / made.bytes) * aimedAgain);
    }
    throw new CannotFit(`It does not come out below ${bytesInWords(limits.bytesMax)}. Post a shorter clip.`);
  };
  const makePicture = async ({ media, limits, signal }: Job, files: Files, onProgress: (share: number) => void) => {
    const { width, height } = await measurePicture(media.path);
    const program = await ffmpeg();
    const picture = await fitPicture(program, { path: media.path, width, height }, limits, { signal, onProgress });
    await writeFile(files.part, picture, { mode: 0o600 });
    return measurePicture(files.part);
  };
  const makeCopy = async ({ media, limits }: Job, bytes: number, files: Files) => {
    await makeSureOfRoom(bytes);
    await copyFile(media.path, files.part, constants.COPYFILE_FICLONE);
    const made = await measured(files.part, media.kind);
    if (!isWithin(made, limits)) throw new CannotFit("The file changed while it was copied. Try again.");
    return made;
  };
  const make = async (job: Job, source: Measured, kept: Kept, files: Files, onProgress: (share: number) => void) => {
    try {
      const making = () =>
        job.media.kind === "clip"
          ? makeClip(job, source, kept, files, onProgress)
          : makePicture(job, files, onProgress);
      const made = await (job.isCopy ? makeCopy(job, source.bytes, files) : making());
      job.signal.throwIfAborted();
      await syncFile(files.part);
      await renameOver(files.part, files.path);
      await folder.prune();
      return made;
    } catch (error) {
      job.signal.throwIfAborted();
      throw error;
    } finally {
      await rm(files.part, { force: true });
      await removePasses(files.log);
    }
  };
  const fitInTurn = async (job: Job, source: Measured, { name, onProgress, onBegin }: FitOptions): Promise<Fitted> => {
    const { media, limits, signal, isCopy } = job;
    signal.throwIfAborted();
    onBegin?.();
    const files = folder.pathsOf(name, media.kind);
    await folder.prepare();
    const isTooLong = source.seconds > (limits.secondsMax ?? Number.POSITIVE_INFINITY);
    const kept = stretchOf(
      source.seconds,
      limits.secondsMax,
      isTooLong ? await momentsIn(await ffmpeg(), media.path) : [],
    );
    const there = await earlier(files.path, media.kind, limits);
    const rising = risingOnly(onProgress);
    const made = there ?? (await make(job, source, kept, files, (share) => rising(share * 0.99)));
    await folder.touch(files.path);
    rising(1);
    const { seconds, width, height, bytes } = made;
    const notes = notesOf(source, made, kept);
    return { path: files.path, bytes, seconds, width, height, mime: mimeOf(media.kind), changed: !isCopy, notes };
  };

  return {
    /** Throws CannotFit, DiskNearlyFull, FfmpegFailed, VerifyFailed, the signal's reason, or what the file system throws. */
    async fit(media: Media, limits: MediaLimits, options: FitOptions): Promise<Fitted> {
      const found = await stat(media.path).catch(() => undefined);
      if (!found?.isFile()) throw new CannotFit("The file is not in the clips folder any more.");
      const isRateAsked = media.kind === "clip" && limits.frameRateMax !== undefined;
      const frameRate = isRateAsked ? (await probeClip(await ffmpeg(), media.path)).frameRate : undefined;
      const source = { ...media, bytes: found.size, frameRate };
      const isCopy = isWithin(source, limits);
      if (isCopy && !options.copies) {
        options.onProgress(1);
        const { path, kind, seconds, width, height } = media;
        return { path, bytes: found.size, seconds, width, height, mime: mimeOf(kind), changed: false, notes: [] };
      }
      const signal = AbortSignal.any([options.signal, ended.signal]);
      const fitting = queue.add(() => fitInTurn({ media, limits, signal, isCopy }, source, options));
      running.add(fitting);
      return fitting.finally(() => running.delete(fitting));
    },
    /** At the start: what an ended launcher left half done goes. */
    async tidy(): Promise<void> {
      if (running.size === 0) await folder.tidy();
    },
    /** Resolves when what was under way has ended. */
    async stop(): Promise<void> {
      ended.abort(new Error("the launcher ends"));
      await Promise.allSettled(running);
    },
  };
}
