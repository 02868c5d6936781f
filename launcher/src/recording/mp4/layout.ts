// Lays out the samples in the file: chunks of the tracks alternate, so that video and sound of the same time are close together.
import type { MediaSample, Timeline } from "./timeline.ts";

export type Chunk = { readonly samples: number; readonly offset: number };

export type Layout = {
  /** Chunks of each timeline. Offsets count from the first byte of media. */
  readonly chunks: readonly (readonly Chunk[])[];
  /** Current locations of the media, in file order. */
  readonly ranges: readonly Range[];
  readonly bytes: number;
};

export type Range = { readonly media: Uint8Array; readonly at: number; readonly end: number };

const chunkSeconds = 0.5;

export function layOut(timelines: readonly Timeline[]): Layout {
  const queues = timelines.map((timeline) => ({ timeline, next: 0, chunks: [] as Chunk[] }));
  const ranges: { media: Uint8Array; at: number; end: number }[] = [];
  let bytes = 0;
  while (queues.some(({ timeline, next }) => next < timeline.samples.length)) {
    const begin = Math.min(...queues.map(({ timeline, next }) => secondsOf(timeline, next)));
    for (const queue of queues) {
      const offset = bytes;
      const first = queue.next;
      for (; secondsOf(queue.timeline, queue.next) < begin + chunkSeconds; queue.next++) {
        const piece = queue.timeline.samples[queue.next] as MediaSample;
        const last = ranges.at(-1);
        if (last?.media === piece.media && last.end === piece.at) last.end += piece.bytes;
        else ranges.push({ media: piece.media, at: piece.at, end: piece.at + piece.bytes });
        bytes += piece.bytes;
      }
      if (queue.next > first) queue.chunks.push({ samples: queue.next - first, offset });
    }
  }
  return {
    chunks: queues.map(({ chunks }) => chunks),
    ranges,
    bytes,
  };
}

/** Decode time from the start of the clip. Infinity after the last sample. */
function secondsOf({ samples: pieces, zeroTicks, timescale }: Timeline, index: number): number {
  const piece = pieces[index];
  return piece === undefined ? Infinity : (piece.decodeTicks - zeroTicks) / timescale;
}
