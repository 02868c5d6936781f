// Tests of the gallery's filter in the page's address.
import assert from "node:assert/strict";
import { test } from "vitest";
import { clipsAddress } from "../../ui/address.ts";
import {
  defaultGalleryFilter,
  isGalleryFiltered,
  parseGalleryFilter,
  toClipFilter,
  toGalleryQuery,
} from "./clip-filter.ts";

test("a filter survives a round trip through the address of the gallery and of the player", () => {
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

test("invalid values in an address are ignored", () => {
  assert.deepEqual(
    parseGalleryFilter("#/clips?kind=film&bin=1&game=&sort=worst&pinned=yes&tag=&text="),
    defaultGalleryFilter,
  );
  assert.deepEqual(parseGalleryFilter(""), defaultGalleryFilter);
});

test("the best moments are saved highlights", () => {
  const { sort, subject, state } = toClipFilter(parseGalleryFilter("#/clips?sort=best"));
  assert.deepEqual([sort, subject, state], ["best", "highlight", "saved"]);
  assert.deepEqual(toClipFilter(defaultGalleryFilter), {});
});

test("the search text of an address is cut at the launcher's limit", () => {
  assert.equal(parseGalleryFilter(`#/clips?text=${"a".repeat(500)}`).text?.length, 200);
});

test("a filter that is not set is not sent to the launcher", () => {
  assert.deepEqual(toClipFilter(defaultGalleryFilter), {});
  assert.deepEqual(toClipFilter({ ...defaultGalleryFilter, kind: "marker", bin: true }), { kind: "marker", bin: true });
  assert.deepEqual(toClipFilter({ ...defaultGalleryFilter, text: "  ", sort: "title" }), { sort: "title" });
});

test("the trash, the order and a blank search text do not count as a filter", () => {
  assert.equal(isGalleryFiltered({ ...defaultGalleryFilter, bin: true, sort: "title", text: " " }), false);
  assert.equal(isGalleryFiltered({ ...defaultGalleryFilter, game: "mygame" }), true);
  assert.equal(isGalleryFiltered({ ...defaultGalleryFilter, pinned: true }), true);
});
