// The gallery's filter survives the address, and the launcher is asked for nothing but what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clipsAddress } from "../frame/address.ts";
import { clipFilterOf, everyClip, galleryFilterIn, galleryQueryOf, isNarrowed } from "./clip-filter.ts";

test("a filter read back from its address is the same filter, in the gallery and in the player", () => {
  for (const filter of [
    everyClip,
    { game: "my game & more/#?", kind: "screenshot", bin: true } as const,
    { game: "unsorted", bin: false },
  ]) {
    assert.deepEqual(galleryFilterIn(clipsAddress(undefined, galleryQueryOf(filter))), filter);
    assert.deepEqual(galleryFilterIn(clipsAddress("01990000", galleryQueryOf(filter))), filter);
  }
});

test("an address with nonsense shows everything", () => {
  assert.deepEqual(galleryFilterIn("#/clips?kind=film&bin=1&game="), everyClip);
  assert.deepEqual(galleryFilterIn(""), everyClip);
});

test("what is not filtered is not asked for", () => {
  assert.deepEqual(clipFilterOf(everyClip), {});
  assert.deepEqual(clipFilterOf({ kind: "marker", bin: true }), { kind: "marker", bin: true });
});

test("the bin alone is no narrowing: an empty bin is empty, and not badly searched", () => {
  assert.equal(isNarrowed({ bin: true }), false);
  assert.equal(isNarrowed({ game: "mygame", bin: false }), true);
});
