// The gallery's filter is its address: written and read back it is the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clipsAddress } from "../ui/address.ts";
import { clipFilterOf, everyClip, galleryFilterIn, galleryQueryOf, isNarrowed } from "./clip-filter.ts";

test("a filter read back from its address is the same filter, in the gallery and in the player", () => {
  for (const filter of [
    everyClip,
    { ...everyClip, game: "my game & more/#?", kind: "screenshot", bin: true } as const,
    { ...everyClip, game: "unsorted" },
    { ...everyClip, text: "fox & hound? #1", tag: "best of + more", pinned: true, sort: "largest" } as const,
  ]) {
    assert.deepEqual(galleryFilterIn(clipsAddress(undefined, galleryQueryOf(filter))), filter);
    assert.deepEqual(galleryFilterIn(clipsAddress("01990000", galleryQueryOf(filter))), filter);
  }
});

test("an address with nonsense shows everything", () => {
  assert.deepEqual(galleryFilterIn("#/clips?kind=film&bin=1&game=&sort=best&pinned=yes&tag=&text="), everyClip);
  assert.deepEqual(galleryFilterIn(""), everyClip);
});

test("an address holds no more words than the launcher takes", () => {
  assert.equal(galleryFilterIn(`#/clips?text=${"a".repeat(500)}`).text?.length, 200);
});

test("what is not filtered is not asked for", () => {
  assert.deepEqual(clipFilterOf(everyClip), {});
  assert.deepEqual(clipFilterOf({ ...everyClip, kind: "marker", bin: true }), { kind: "marker", bin: true });
  assert.deepEqual(clipFilterOf({ ...everyClip, text: "  ", sort: "title" }), { sort: "title" });
});

test("the bin and an order alone are no narrowing: an empty bin is empty, and not badly searched", () => {
  assert.equal(isNarrowed({ ...everyClip, bin: true, sort: "title", text: " " }), false);
  assert.equal(isNarrowed({ ...everyClip, game: "mygame" }), true);
  assert.equal(isNarrowed({ ...everyClip, pinned: true }), true);
});
