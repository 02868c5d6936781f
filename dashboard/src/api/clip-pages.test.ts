// A list loaded page by page stays complete and in order while clips come and go.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clipOf } from "../../test/clip-samples.ts";
import { type LoadedClipList, mergePage, pageClips, pagesToFetch } from "./clip-pages.ts";

const clips = (...ns: number[]) => ns.map((n) => clipOf(n));
const numbers = ({ clips: all }: LoadedClipList) => all.map(({ id }) => Number(id.slice(-12)));
const idOf = (n: number) => clipOf(n).id;

test("parts behind one another make one list", () => {
  const first = mergePage(undefined, { before: undefined, clips: clips(1, 2), more: true });
  const both = mergePage(first, { before: idOf(2), clips: clips(3), more: false });
  assert.deepEqual([numbers(both), both.more], [[1, 2, 3], false]);
});

test("a clip that came stands first, and what was loaded further down stays", () => {
  const known: LoadedClipList = { clips: clips(2, 3, 4, 5), more: true };
  const now = mergePage(known, { before: undefined, clips: clips(1, 2, 3), more: true });
  assert.deepEqual([numbers(now), now.more], [[1, 2, 3, 4, 5], true]);
});

test("what was deleted is gone, also when the part now reaches further than before", () => {
  const known: LoadedClipList = { clips: clips(1, 2, 3, 4, 5, 6), more: false };
  const now = mergePage(known, { before: undefined, clips: clips(1, 4, 5), more: true });
  assert.deepEqual([numbers(now), now.more], [[1, 4, 5, 6], false]);
});

test("a part behind a clip that has left says nothing, and one that nothing is known of is where the list ends", () => {
  const known: LoadedClipList = { clips: clips(1, 2, 3), more: true };
  assert.equal(mergePage(known, { before: idOf(9), clips: clips(10), more: true }), known);
  const other = mergePage(known, { before: undefined, clips: clips(7, 8), more: true });
  assert.deepEqual([numbers(other), other.more], [[7, 8], true]);
});

test("a clip that moved to another place in the order stands there only", () => {
  const known: LoadedClipList = { clips: clips(1, 2, 3, 4, 5), more: false };
  const now = mergePage(known, { before: undefined, clips: clips(4, 1, 2), more: true });
  assert.deepEqual(numbers(now), [4, 1, 2, 3, 5]);
});

test("however a list changes, going through it once more shows all of it in its order, nothing twice", () => {
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

test("asked for is the beginning, what is looked at, and in time what follows", () => {
  const known: LoadedClipList = { clips: clips(...Array.from({ length: 3 * pageClips }, (_, n) => n)), more: true };
  assert.deepEqual(pagesToFetch(known, { from: 0, to: 20 }), [undefined]);
  assert.deepEqual(pagesToFetch(known, { from: 90, to: 110 }), [undefined, idOf(pageClips - 1)]);
  assert.deepEqual(pagesToFetch(known, { from: 285, to: 299 }), [undefined, idOf(199), idOf(299)]);
  assert.deepEqual(pagesToFetch({ ...known, more: false }, { from: 285, to: 299 }), [undefined, idOf(199)]);
  assert.deepEqual(pagesToFetch({ clips: [], more: false }, { from: 0, to: 0 }), [undefined]);
});
