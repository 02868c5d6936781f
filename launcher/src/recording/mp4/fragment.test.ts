// Tests of fragments: the real encoder's output is read with its times and bytes, and damage is always a BrokenStream.
import assert from "node:assert/strict";
import fc from "fast-check";
import { beforeAll, describe, test } from "vitest";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { createBoxSplitter } from "./boxes.ts";
import { BrokenStream } from "./broken-stream.ts";
import { differenceOf, type Fragment, type InitSegment, readFragment, readInitSegment } from "./fragment.ts";
import { fragmentsOf, record } from "./test/stamped-footage.ts";

const startMs = 1_790_000_000_000;

describe("the encoder's output", { skip: skipWithout("ffmpeg") }, () => {
  let stream: Buffer;
  let fragments: Fragment[];

  beforeAll(async () => {
    stream = await record({ startMs, seconds: 4, sound: true });
    fragments = fragmentsOf(stream);
  });

  test("pictures and sound have epoch times without a gap", () => {
    for (const [track, timescale] of [
      ["video", 90_000],
      ["sound", 48_000],
    ] as const) {
      const samples = fragments.flatMap(({ video, sounds }) => (track === "video" ? video : (sounds[0] ?? [])));
      const seconds = samples.map(({ decodeTicks }) => decodeTicks / timescale - startMs / 1000);
      assert.ok(Math.abs(seconds[0] ?? 9) < 0.03, `${track} begins at ${seconds[0]}`);
      for (const [i, { decodeTicks, durationTicks }] of samples.entries()) {
        assert.equal(samples[i + 1]?.decodeTicks ?? decodeTicks + durationTicks, decodeTicks + durationTicks);
      }
    }
    assert.equal(fragments.flatMap(({ video }) => video).length, 120);
    const { startMs: first } = fragments[0] as Fragment;
    assert.deepEqual([first, Math.round(fragments.at(-1)?.endMs ?? 0)], [startMs, startMs + 4000]);
  });

  test("a fragment begins with a keyframe once a second, and its samples have the kind that they declare", () => {
    const keys = fragments
      .filter(({ startsWithKeyframe }) => startsWithKeyframe)
      .map((fragment) => Math.round(fragment.startMs - startMs));
    assert.deepEqual(keys, [0, 1000, 2000, 3000]);
    for (const { video, media, bytes } of fragments) {
      assert.ok(bytes > media.length);
      for (const { at, bytes: size, sync } of video) {
        // The kind of the last NAL unit: 5 is a keyframe, 1 is another picture.
        const units = nalUnits(media.subarray(at, at + size));
        assert.equal(units.at(-1), sync ? 5 : 1);
      }
    }
  });

  test("chunks of any size give the same fragments", () => {
    const plain = (all: readonly Fragment[]) =>
      all.map(({ video, sounds, startMs, endMs, media }) => ({ video, sounds, startMs, endMs, media }));
    assert.deepEqual(plain(fragmentsOf(stream, 1)), plain(fragments));
    assert.deepEqual(plain(fragmentsOf(stream, 1013)), plain(fragments));
  });

  test("two runs of the same encoder can be joined, and runs of another size or without sound cannot", async () => {
    const initOf = async (more: object) =>
      (fragmentsOf(await record({ startMs, seconds: 1, ...more }))[0] as Fragment).init;
    const first = (fragments[0] as Fragment).init;
    assert.equal(differenceOf(first, await initOf({ sound: true, startMs: startMs + 60_000 })), undefined);
    assert.equal(differenceOf(first, await initOf({ sound: true, height: 128 })), "size");
    assert.equal(differenceOf(first, await initOf({})), "sound");
    assert.deepEqual([first.width, first.height], [384, 64]);
  });

  test("damaged boxes cause no other error than BrokenStream", () => {
    const { moov, moof, mdat } = firstBoxes(stream);
    const init = readInitSegment(moov);
    const damages = fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 1, max: 255 })), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(damages, fc.boolean(), (places, head) => {
        const damaged = Buffer.from(head ? moov : moof);
        for (const [place, difference] of places) damaged[8 + (place % (damaged.length - 8))] = difference;
        quietly(() => {
          try {
            if (head) readInitSegment(damaged) satisfies InitSegment;
            else readFragment(init, damaged, mdat) satisfies Fragment;
          } catch (failure) {
            assert.ok(failure instanceof BrokenStream, String(failure));
          }
        });
      }),
      { numRuns: 1000 },
    );
  });

  test("a header without video and truncated media are broken", () => {
    const { moov, moof, mdat } = firstBoxes(stream);
    const noVideo = Buffer.from(moov);
    noVideo.write("text", noVideo.indexOf("vide"));
    assert.throws(() => readInitSegment(noVideo), { name: "BrokenStream", message: /no video track/ });
    assert.throws(() => readFragment(readInitSegment(moov), moof, mdat.subarray(0, 100)), {
      name: "BrokenStream",
      message: /outside its media/,
    });
  });
});

function nalUnits(sample: Uint8Array): number[] {
  const view = Buffer.from(sample);
  const kinds: number[] = [];
  for (let at = 0; at < view.length; at += 4 + view.readUInt32BE(at)) kinds.push((view[at + 4] as number) & 31);
  return kinds;
}

function firstBoxes(stream: Uint8Array): Record<"moov" | "moof" | "mdat", Uint8Array> {
  const found: Record<string, Uint8Array> = {};
  createBoxSplitter({
    boxBytesMax: 1_000_000,
    onBox: (type, bytes) => {
      found[type] ??= bytes;
    },
  }).push(stream);
  return found as Record<"moov" | "moof" | "mdat", Uint8Array>;
}

/** The library prints damage that it finds. */
function quietly(act: () => void): void {
  const { error } = console;
  console.error = () => undefined;
  try {
    act();
  } finally {
    console.error = error;
  }
}
