// Reads the end of a replay that OBS wrote, in whatever container, as fragments that can be cut. Nothing is encoded anew.
import { access, constants } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { NoFootage } from "../capture/backend.ts";
import { readableSaying, startFfmpeg } from "../ffmpeg/start.ts";
import { BrokenStream } from "../mp4/box-splitter.ts";
import type { Fragment } from "../mp4/fragment.ts";
import { createFragmentReader } from "../mp4/fragment-reader.ts";

/** The footage of one save, on the clock of its own file. */
export type Replay = {
  readonly fragments: readonly Fragment[];
  /** The epoch time of the file's time 0. */
  readonly offsetMs: number;
};

export type ReadReplay = {
  readonly path: string;
  readonly askedMs: number;
  /** Footage that ends earlier than this long before the file's end is not kept. */
  readonly spanMs: number;
};

/** Of a fragment, which is a group of pictures: ten seconds at a bit rate nobody records a game with. */
const boxBytesMax = 256 * 1024 * 1024;
/** Of all that is kept of one file. Beyond it the oldest goes. */
const keptBytesMax = 768 * 1024 * 1024;
const timeoutMs = 60_000;
const saidCharsMax = 4_096;

/** A replay is a film, not a list of other files to open. */
const formats = "mov,matroska,flv,mpegts";

const repack = (path: string) => [
  ...["-v", "error", "-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-i", path],
  ...["-map", "0:v:0", "-map", "0:a:0?", "-c", "copy", "-f", "mp4"],
  ...["-movflags", "frag_keyframe+empty_moov+default_base_moof", "pipe:1"],
];

/** Rejects with NoFootage, which names the file, when it cannot be read. */
export async function readReplay(ffmpeg: { readonly path: string }, replay: ReadReplay): Promise<Replay> {
  const { path, askedMs, spanMs } = replay;
  await readableHere(path);
  try {
    const fragments = await fragmentsOf(ffmpeg, path, spanMs);
    const endMs = lastMs(fragments);
    if (endMs === undefined) throw new BrokenStream("it holds no picture");
    return { fragments, offsetMs: askedMs - endMs };
  } catch (failure) {
    throw new NoFootage(`The replay that OBS wrote cannot be read (${path}): ${(failure as Error).message}`);
  }
}

async function readableHere(path: string): Promise<void> {
  const where = "An OBS in a container or on another machine writes where Kit cannot read.";
  if (!isAbsolute(path)) throw new NoFootage(`OBS wrote its replay to ${path}, which is no file here. ${where}`);
  await access(path, constants.R_OK).catch((failure: NodeJS.ErrnoException) => {
    throw new NoFootage(`OBS wrote its replay to ${path}, which cannot be read here (${failure.code}). ${where}`);
  });
}

async function fragmentsOf(ffmpeg: { readonly path: string }, path: string, spanMs: number): Promise<Fragment[]> {
  const kept = createTail(spanMs);
  const reader = createFragmentReader({ onFragment: kept.take, boxBytesMax });
  const child = startFfmpeg(ffmpeg, repack(path));
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-saidCharsMax);
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
  try {
    for await (const chunk of child.stdout ?? []) reader.push(chunk as Buffer);
    const outcome = await ended;
    if (outcome !== 0) throw new BrokenStream(`ffmpeg ended with ${outcome}: ${readableSaying(said)}`);
    return kept.fragments;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

/** Gathers fragments and forgets those that are older than the span, so that a long file costs no more than a short one. */
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
        if (oldest.endMs >= newest.endMs - spanMs && bytes <= keptBytesMax) return;
        bytes -= oldest.bytes;
        fragments.shift();
      }
    },
  };
}

/**
 * Where in the file the moment lies at which OBS was asked. OBS ends it with the picture it decodes then, and counts
 * decoding from the first picture's showing, so that an encoder that reorders pictures makes no difference.
 */
function lastMs(fragments: readonly Fragment[]): number | undefined {
  const withPictures = fragments.filter(({ video }) => video.length > 0);
  const first = withPictures[0]?.video[0];
  const last = withPictures.at(-1)?.video.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const ticks = last.decodeTicks + (first.showTicks - first.decodeTicks);
  return (ticks * 1_000) / (withPictures[0]?.init.video.timescale ?? 1);
}
