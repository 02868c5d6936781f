// What a running ffmpeg says on stderr, kept short: its end is what matters when it fails.
import { readableSaying } from "../../ffmpeg/start.ts";

const keptBytes = 4 * 1024;
const linesMax = 3;

export type Saying = {
  push(chunk: Buffer): void;
  /** Its last lines that mean something; empty when it said nothing. */
  last(): string;
  /** All it ever said. */
  bytes(): number;
};

/** Keeps the end only, and reads it only when asked: a flood costs next to nothing. */
export function createSaying(): Saying {
  let kept: Buffer = Buffer.alloc(0);
  let bytes = 0;
  return {
    push(chunk) {
      bytes += chunk.length;
      kept = Buffer.concat([kept, chunk.subarray(-keptBytes)]).subarray(-keptBytes);
    },
    last: () => readableSaying(kept.toString("utf8"), linesMax),
    bytes: () => bytes,
  };
}
