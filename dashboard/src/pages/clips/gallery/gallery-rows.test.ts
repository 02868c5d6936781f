// Tests of the gallery's rows, keyboard navigation between cards, and selection.
import assert from "node:assert/strict";
import { test } from "vitest";
import { clipOf, markerOf } from "../../../../test/clip-samples.ts";
import { cardsIn, columnCount, galleryRows, nextCard } from "./gallery-rows.ts";
import { emptySelection, extendSelection, toggleSelection } from "./use-selection.ts";

const now = new Date("2026-05-10T12:00:00");
const at = (day: number, minute: number) => ({ startedAt: new Date(2026, 4, day, 11, 59 - minute).toISOString() });
const clips = [
  clipOf(1, at(10, 1)),
  markerOf(2, at(10, 2)),
  clipOf(3, at(10, 3)),
  clipOf(4, at(10, 4)),
  clipOf(5, at(9, 5)),
  clipOf(6, at(9, 6)),
];
const id = (n: number) => clipOf(n).id;
const rows = galleryRows({ clips, sort: "newest", columns: 2, now });

test("a row has as many cards as fit, but at least one", () => {
  assert.deepEqual([100, 250, 517, 518, 1_240].map(columnCount), [1, 1, 1, 2, 4]);
});

test("each day has its rows of cards, and its markers below them", () => {
  assert.deepEqual(
    rows.map((row) => (row.is === "day" ? row.says : `${row.is} ${row.clips.length}`)),
    ["Today", "cards 2", "cards 1", "markers 1", "Yesterday", "cards 2"],
  );
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});

test("a gallery that is not sorted by time has no days", () => {
  const others = galleryRows({ clips, sort: "largest", columns: 4, now });
  assert.deepEqual(
    others.map((row) => row.is),
    ["cards", "cards", "markers"],
  );
});

test("keys move from card to card, across days, and never out of the gallery", () => {
  const movesTo = (from: number, key: string) => nextCard(rows, id(from), key)?.id;
  assert.deepEqual(
    [movesTo(1, "ArrowRight"), movesTo(4, "ArrowRight"), movesTo(5, "ArrowLeft")],
    [id(3), id(5), id(4)],
  );
  assert.deepEqual([movesTo(3, "ArrowDown"), movesTo(4, "ArrowDown"), movesTo(6, "ArrowUp")], [id(4), id(5), id(4)]);
  assert.deepEqual([movesTo(4, "Home"), movesTo(1, "End")], [id(1), id(6)]);
  const nowhere = [movesTo(1, "ArrowLeft"), movesTo(1, "ArrowUp"), movesTo(6, "ArrowRight"), movesTo(1, "x")];
  assert.deepEqual(nowhere, [undefined, undefined, undefined, undefined]);
  assert.equal(movesTo(2, "ArrowRight"), undefined, "a marker is not a card");
});

test("a toggle adds or removes one clip, and a range starts at the clip that was last toggled", () => {
  const order = cardsIn(rows).map((clip) => clip.id);
  const one = toggleSelection(emptySelection, id(3));
  assert.deepEqual([...one.ids], [id(3)]);
  assert.deepEqual([...toggleSelection(one, id(3)).ids], []);
  const range = extendSelection(one, id(5), order);
  assert.deepEqual([...range.ids], [id(3), id(4), id(5)]);
  assert.deepEqual([...extendSelection(range, id(1), order).ids].toSorted(), [1, 3, 4, 5].map(id));
  assert.deepEqual([...extendSelection(emptySelection, id(4), order).ids], [id(4)]);
});

test("a range that starts at a removed clip selects only the clip at its end", () => {
  const gone = toggleSelection(emptySelection, id(99));
  assert.deepEqual(
    [
      ...extendSelection(
        gone,
        id(4),
        cardsIn(rows).map((clip) => clip.id),
      ).ids,
    ],
    [id(99), id(4)],
  );
});
