// The gallery's filter survives a round trip through the address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clipsAddress } from "../ui/address.ts";
import {
  defaultGalleryFilter,
  isGalleryFiltered,
  parseGalleryFilter,
  toClipFilter,
  toGalleryQuery,
} from "./clip-filter.ts";

test("a filter read back from its address is the same filter, in the gallery and in the player", () => {
  for (const filter of [
    defaultGalleryFilter,
    { ...defaultGalleryFilter, game: "my game & more/#?", kind: "screenshot", bin: true } as const,
    { ...defaultGalleryFilter, game: "unsorted" },
    { ...defaultGalleryFilter, text: "fox & hound? #1", tag: "best of + more", pinned: true, sort: "largest" } as const,
  ]) {
    assert.deepEqual(parseGalleryFilter(clipsAddress(undefined, toGalleryQuery(filter))), filter);
    assert.deepEqual(parseGalleryFilter(clipsAddress("01990000", toGalleryQuery(filter))), filter);
  }
});

test("an address with nonsense shows everything", () => {
  assert.deepEqual(
    parseGalleryFilter("#/clips?kind=film&bin=1&game=&sort=best&pinned=yes&tag=&text="),
    defaultGalleryFilter,
  );
  assert.deepEqual(parseGalleryFilter(""), defaultGalleryFilter);
});

test("an address holds no more words than the launcher takes", () => {
  assert.equal(parseGalleryFilter(`#/clips?text=${"a".repeat(500)}`).text?.length, 200);
});

test("what is not filtered is not asked for", () => {
  assert.deepEqual(toClipFilter(defaultGalleryFilter), {});
  assert.deepEqual(toClipFilter({ ...defaultGalleryFilter, kind: "marker", bin: true }), { kind: "marker", bin: true });
  assert.deepEqual(toClipFilter({ ...defaultGalleryFilter, text: "  ", sort: "title" }), { sort: "title" });
});

test("the bin and an order alone are no narrowing: an empty bin is empty, and not badly searched", () => {
  assert.equal(isGalleryFiltered({ ...defaultGalleryFilter, bin: true, sort: "title", text: " " }), false);
  assert.equal(isGalleryFiltered({ ...defaultGalleryFilter, game: "mygame" }), true);
  assert.equal(isGalleryFiltered({ ...defaultGalleryFilter, pinned: true }), true);
});
