// Where the samples lie in the file: the tracks' chunks in turn, so that a player finds what belongs together close together.
import type { Piece, Timeline } from "./pieces.ts";

export type Chunk = { readonly samples: number; readonly offset: number };

export type Layout = {
  /** Of each timeline, offsets counted from the first byte of media. */
  readonly chunks: readonly (readonly Chunk[])[];
  /** Where the media lies now, in the order it has in the file. */
  readonly ranges: readonly Range[];
  readonly bytes: number;
};

export type Range = { readonly media: Uint8Array; readonly at: number; readonly end: number };

const chunkSeconds = 0.5;

export function layOut(timelines: readonly Timeline[]): Layout {
  const queues = timelines.map((timeline) => ({ timeline, next: 0, chunks: [] as Chunk[] }));
  const ranges: { media: Uint8Array; at: number; end: number }[] = [];
  let bytes = 0;
  while (queues.some(({ timeline, next }) => next < timeline.pieces.length)) {
    const begin = Math.min(...queues.map(({ timeline, next }) => secondsOf(timeline, next)));
    for (const queue of queues) {
      const offset = bytes;
      const first = queue.next;
      for (; secondsOf(queue.timeline, queue.next) < begin + chunkSeconds; queue.next++) {
        const piece = queue.timeline.pieces[queue.next] as Piece;
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

/** When a piece is decoded, counted from the clip's beginning; never, when there is none. */
function secondsOf({ pieces, zeroTicks, timescale }: Timeline, index: number): number {
  const piece = pieces[index];
  return piece === undefined ? Infinity : (piece.decodeTicks - zeroTicks) / timescale;
}
