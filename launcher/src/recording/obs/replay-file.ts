// Reads the end of a replay file in any container as fragments, without re-encoding.
import { access, constants } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { NoFootage } from "../capture/backend.ts";
import { readableStderr, startFfmpeg } from "../ffmpeg/start.ts";
import { BrokenStream } from "../mp4/box-splitter.ts";
import type { Fragment } from "../mp4/fragment.ts";
import { createFragmentReader } from "../mp4/fragment-reader.ts";

/** The footage of one save. Times are relative to the file. */
export type Replay = {
  readonly fragments: readonly Fragment[];
  /** Epoch time of the file's time 0. */
  readonly offsetMs: number;
};

export type ReplayRequest = {
  readonly path: string;
  readonly askedMs: number;
  /** Length of the footage to read, before the end of the file. */
  readonly spanMs: number;
};

/** Maximum size of a fragment, which is a group of pictures: ten seconds at a very high bit rate. */
const boxBytesMax = 256 * 1024 * 1024;
/** Maximum footage of one file in memory. The oldest is dropped first. */
const tailBytesMax = 768 * 1024 * 1024;
const timeoutMs = 60_000;
const stderrCharsMax = 4_096;

/** Only containers: a playlist could make ffmpeg open other files. */
const formats = "mov,matroska,flv,mpegts";

const repackArgs = (path: string) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-i", path],
  ...["-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-f", "mp4"],
  ...["-movflags", "frag_keyframe+empty_moov+default_base_moof", "pipe:1"],
];

/** Rejects with NoFootage, naming the file, if it cannot be read. */
export async function readReplay(ffmpeg: { readonly path: string }, replay: ReplayRequest): Promise<Replay> {
  const { path, askedMs, spanMs } = replay;
  await assertReadable(path);
  try {
    const fragments = await readFragments(ffmpeg, path, spanMs);
    const endMs = saveRequestMs(fragments);
    if (endMs === undefined) throw new BrokenStream("it contains no picture");
    return { fragments, offsetMs: askedMs - endMs };
  } catch (failure) {
    throw new NoFootage(`The replay that OBS wrote cannot be read (${path}): ${(failure as Error).message}`);
  }
}

async function assertReadable(path: string): Promise<void> {
  const where = "An OBS in a container or on another machine writes files that Kit cannot read.";
  if (!isAbsolute(path))
    throw new NoFootage(`OBS wrote its replay to ${path}, which is not a file on this machine. ${where}`);
  await access(path, constants.R_OK).catch((failure: NodeJS.ErrnoException) => {
    throw new NoFootage(`OBS wrote its replay to ${path}, which cannot be read here (${failure.code}). ${where}`);
  });
}

async function readFragments(ffmpeg: { readonly path: string }, path: string, spanMs: number): Promise<Fragment[]> {
  const tail = createTail(spanMs);
  const reader = createFragmentReader({ onFragment: tail.take, boxBytesMax });
  const child = startFfmpeg(ffmpeg, repackArgs(path));
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-stderrCharsMax);
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  try {
    for await (const chunk of child.stdout ?? []) reader.push(chunk as Buffer);
    const outcome = await ended;
    if (outcome !== 0) throw new BrokenStream(`ffmpeg ended with ${outcome}: ${readableStderr(stderr)}`);
    return tail.fragments;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

/** Collects fragments and drops those older than the span, so that a long file needs no more memory than a short one. */
function createTail(spanMs: number): { readonly fragments: Fragment[]; take(newest: Fragment): void } {
  const fragments: Fragment[] = [];
  let bytes = 0;
  return {
    fragments,
    take(newest) {
      bytes += newest.bytes;
      fragments.push(newest);
      for (;;) {
        const oldest = fragments[0];
        if (oldest === undefined || oldest === newest) return;
        if (oldest.endMs >= newest.endMs - spanMs && bytes <= tailBytesMax) return;
        bytes -= oldest.bytes;
        fragments.shift();
      }
    },
  };
}

/**
 * Returns the file time at which OBS was asked to save. The file ends with the picture that OBS encoded last, by decode time;
 * decode times are counted from the presentation of the first picture, so that reordered pictures make no difference.
 */
function saveRequestMs(fragments: readonly Fragment[]): number | undefined {
  const withPictures = fragments.filter(({ video }) => video.length > 0);
  const first = withPictures[0]?.video[0];
  const last = withPictures.at(-1)?.video.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const ticks = last.decodeTicks + (first.presentTicks - first.decodeTicks);
  return (ticks * 1_000) / (withPictures[0]?.init.video.timescale ?? 1);
}
