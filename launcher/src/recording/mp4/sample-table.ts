// Writes the sample table of a track: decode and presentation times, sizes and offsets.
import { boxes, verbatimBox } from "./boxes.ts";
import type { Chunk } from "./layout.ts";
import type { MediaSample, Timeline } from "./timeline.ts";

/** `mediaOffset` is the file offset of the first byte of media. Chunk offsets count from it. */
export function sampleTable(
  description: Uint8Array,
  { samples: pieces, endTicks }: Timeline,
  chunks: readonly Chunk[],
  mediaOffset: number,
): InstanceType<typeof boxes.stbl> {
  const stbl = new boxes.stbl();
  stbl.addBox(verbatimBox(description));
  stbl.addBox(durations(pieces, endTicks));
  if (pieces.some(({ decodeTicks, presentTicks }) => decodeTicks !== presentTicks)) stbl.addBox(shifts(pieces));
  if (pieces.some(({ sync }) => !sync)) {
    const numbers = pieces.flatMap(({ sync }, i) => (sync ? [i + 1] : []));
    stbl.addBox(new boxes.stss().set("sample_numbers", numbers));
  }
  stbl.addBox(samplesOfChunks(chunks));
  const sizes = pieces.map(({ bytes }) => bytes);
  stbl.addBox(new boxes.stsz().set("sample_size", 0).set("sample_sizes", sizes));
  const offsets = chunks.map(({ offset }) => mediaOffset + offset);
  stbl.addBox(new boxes.co64().set("chunk_offsets", offsets));
  return stbl;
}

function durations(pieces: readonly MediaSample[], endTicks: number): InstanceType<typeof boxes.stts> {
  const { counts, values } = runLengths(
    pieces.map(({ decodeTicks }, i) => (pieces[i + 1]?.decodeTicks ?? endTicks) - decodeTicks),
  );
  return new boxes.stts().set("sample_counts", counts).set("sample_deltas", values);
}

function shifts(pieces: readonly MediaSample[]): InstanceType<typeof boxes.ctts> {
  const { counts, values } = runLengths(pieces.map(({ decodeTicks, presentTicks }) => presentTicks - decodeTicks));
  return new boxes.ctts().set("sample_counts", counts).set("sample_offsets", values);
}

function samplesOfChunks(chunks: readonly Chunk[]): InstanceType<typeof boxes.stsc> {
  const changes = chunks.flatMap(({ samples }, i) =>
    chunks[i - 1]?.samples === samples ? [] : [{ chunk: i + 1, samples }],
  );
  return new boxes.stsc()
    .set(
      "first_chunk",
      changes.map(({ chunk }) => chunk),
    )
    .set(
      "samples_per_chunk",
      changes.map(({ samples }) => samples),
    )
    .set(
      "sample_description_index",
      changes.map(() => 1),
    );
}

function runLengths(all: readonly number[]): { counts: number[]; values: number[] } {
  const counts: number[] = [];
  const values: number[] = [];
  for (const value of all) {
    if (values.at(-1) === value) counts[counts.length - 1] = (counts.at(-1) as number) + 1;
    else {
      counts.push(1);
      values.push(value);
    }
  }
  return { counts, values };
}
