// Tests of which reels are refused before anything is made.
import assert from "node:assert/strict";
import { type Clip, KitError, type ReelPart } from "@kit/contract";
import { test } from "vitest";
import { sampleClip } from "../../../test/recording/sample-clip.ts";
import { isSameReel } from "./plan-reel.ts";
import { createReels } from "./reels.ts";

const partOf = (clip: string, members: Partial<ReelPart> = {}): ReelPart => ({
  ...{ clip, title: clip, offset: 0, fromSeconds: 0, toSeconds: 17 },
  ...members,
});

test("two reels are the same if they show the same seconds of the same clips, in one order and with the same titles", () => {
  const parts = [partOf("a"), partOf("b", { offset: 17 })];
  assert.ok(isSameReel(parts, [partOf("a"), partOf("b", { offset: 17.03 })]), "the file may be exact to a frame only");
  for (const other of [
    parts.toReversed(),
    parts.slice(1),
    [partOf("a", { toSeconds: 16 }), partOf("b")],
    [partOf("a", { title: "other" }), partOf("b")],
    parts.map((part) => ({ ...part, fades: true })),
  ])
    assert.ok(!isSameReel(parts, other));
});

test("a reel that exists already is not made a second time, and its title is told", async () => {
  const source = sampleClip({ id: "a", title: "a", duration: 17 });
  const reel: Clip = sampleClip({ id: "r", title: "Best of Saga", parts: [partOf("a")] });
  const unused = () => assert.fail("nothing is made");
  const reels = createReels({
    store: {
      find: async () => ({ clip: source, fromMs: 0, moments: [] }) as never,
      list: unused,
      pending: async () => [],
      reels: async () => [reel],
    },
    library: { get: async () => source, enforceLimits: unused, planCleanup: unused },
    files: {} as never,
    pictures: { requestPoster: unused, requestPreview: unused },
    ffmpeg: {} as never,
    writeOnce: unused,
    write: unused,
    quotaBytes: () => 1e9,
    isGrowing: () => false,
    onChanged: unused,
    onFailure: unused,
  });
  await assert.rejects(
    reels.make({ parts: [{ clip: "a" }] }),
    (error: unknown) => error instanceof KitError && /such a reel already: Best of Saga/.test(error.message),
  );
});
