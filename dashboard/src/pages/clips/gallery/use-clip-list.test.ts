// Tests of a list that is loaded page by page: it stays complete and in order while clips are added and deleted.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { clipOf } from "../../../../test/clip-samples.ts";
import { clipsPerPage, type LoadedClipList, mergePage, pagesToFetch } from "./use-clip-list.ts";

const clips = (...ns: number[]) => ns.map((n) => clipOf(n));
const numbers = ({ clips: all }: LoadedClipList) => all.map(({ id }) => Number(id.slice(-12)));
const idOf = (n: number) => clipOf(n).id;

test("two successive pages make one list", () => {
  const first = mergePage(undefined, { before: undefined, clips: clips(1, 2), more: true });
  const both = mergePage(first, { before: idOf(2), clips: clips(3), more: false });
  assert.deepEqual([numbers(both), both.more], [[1, 2, 3], false]);
});

test("a new clip is first, and clips loaded further down stay", () => {
  const known: LoadedClipList = { clips: clips(2, 3, 4, 5), more: true };
  const now = mergePage(known, { before: undefined, clips: clips(1, 2, 3), more: true });
  assert.deepEqual([numbers(now), now.more], [[1, 2, 3, 4, 5], true]);
});

test("a deleted clip disappears, also if the page now reaches further than before", () => {
  const known: LoadedClipList = { clips: clips(1, 2, 3, 4, 5, 6), more: false };
  const now = mergePage(known, { before: undefined, clips: clips(1, 4, 5), more: true });
  assert.deepEqual([numbers(now), now.more], [[1, 4, 5, 6], false]);
});

test("a page after an unknown clip is ignored, and a first page without any known clip replaces the list", () => {
  const known: LoadedClipList = { clips: clips(1, 2, 3), more: true };
  assert.equal(mergePage(known, { before: idOf(9), clips: clips(10), more: true }), known);
  const other = mergePage(known, { before: undefined, clips: clips(7, 8), more: true });
  assert.deepEqual([numbers(other), other.more], [[7, 8], true]);
});

test("a clip whose position changed is in the list only at its new position", () => {
  const known: LoadedClipList = { clips: clips(1, 2, 3, 4, 5), more: false };
  const now = mergePage(known, { before: undefined, clips: clips(4, 1, 2), more: true });
  assert.deepEqual(numbers(now), [4, 1, 2, 3, 5]);
});

test("loading all pages once more shows every clip in order and none twice, however the list changed", () => {
  const places = fc.uniqueArray(fc.nat(60), { maxLength: 40 });
  fc.assert(
    fc.property(places, places, fc.integer({ min: 1, max: 9 }), (before, after, size) => {
      const sorted = [before, after].map((ns) => clips(...ns.toSorted((a, b) => a - b)));
      let known: LoadedClipList | undefined;
      for (const truth of sorted) {
        let from: string | undefined;
        for (let round = 0; round < 80; round += 1) {
          const at = from === undefined ? 0 : truth.findIndex(({ id }) => id === from) + 1;
          const part = { before: from, clips: truth.slice(at, at + size), more: truth.length > at + size };
          known = mergePage(known, part);
          if (!part.more) break;
          from = part.clips.at(-1)?.id;
        }
      }
      assert.deepEqual(known && numbers(known), numbers({ clips: sorted[1] ?? [], more: false }));
    }),
  );
});

test("the first page, the visible page and, near the end, the next page are fetched", () => {
  const known: LoadedClipList = { clips: clips(...Array.from({ length: 3 * clipsPerPage }, (_, n) => n)), more: true };
  assert.deepEqual(pagesToFetch(known, { from: 0, to: 20 }), [undefined]);
  assert.deepEqual(pagesToFetch(known, { from: 90, to: 110 }), [undefined, idOf(clipsPerPage - 1)]);
  assert.deepEqual(pagesToFetch(known, { from: 285, to: 299 }), [undefined, idOf(199), idOf(299)]);
  assert.deepEqual(pagesToFetch({ ...known, more: false }, { from: 285, to: 299 }), [undefined, idOf(199)]);
  assert.deepEqual(pagesToFetch({ clips: [], more: false }, { from: 0, to: 0 }), [undefined]);
});
