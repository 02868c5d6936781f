// Tests of the Live page's filter: it survives a round trip through the address, and matches row by row.
import assert from "node:assert/strict";
import { test } from "vitest";
import { sampleEventRow, sampleRefusalRow } from "../../test/feed-samples.ts";
import {
  liveAddress,
  matchesGameAndKind,
  matchesPageFilter,
  parseLiveFilter,
  unfilteredEvents,
} from "./address-filters.ts";

test("a filter survives a round trip through the address", () => {
  for (const filter of [
    unfilteredEvents,
    { game: "my game & more", kind: "social", text: "boss? #1", refusals: "hidden" } as const,
    { game: "unsorted", refusals: "shown" } as const,
  ]) {
    assert.deepEqual(parseLiveFilter(liveAddress(filter)), filter);
  }
});

test("invalid values in an address are ignored", () => {
  assert.deepEqual(parseLiveFilter("#/live?kind=nonsense&refusals=maybe&game="), unfilteredEvents);
  assert.deepEqual(parseLiveFilter(""), unfilteredEvents);
});

test("a filter by game hides other games but no refused requests", () => {
  const filter = { game: "mygame", refusals: "shown" } as const;
  assert.equal(matchesGameAndKind(sampleEventRow({ game: "mygame" }), filter), true);
  assert.equal(matchesGameAndKind(sampleEventRow({ game: "other" }), filter), false);
  assert.equal(matchesGameAndKind(sampleRefusalRow({}), filter), true);
});

test('the filter "unsorted" matches events without a game', () => {
  const filter = { game: "unsorted", refusals: "shown" } as const;
  assert.equal(matchesGameAndKind(sampleEventRow({ game: null }), filter), true);
  assert.equal(matchesGameAndKind(sampleEventRow({ game: "mygame" }), filter), false);
});

test("a filter by kind keeps refused requests of that kind and those without a kind", () => {
  const filter = { kind: "social", refusals: "shown" } as const;
  assert.equal(matchesGameAndKind(sampleRefusalRow({ kind: "social" }), filter), true);
  assert.equal(matchesGameAndKind(sampleRefusalRow({ kind: null }), filter), true);
  assert.equal(matchesGameAndKind(sampleRefusalRow({ kind: "monitor" }), filter), false);
});

test("every word of the text must occur, in any field and in any case", () => {
  const row = sampleEventRow({ eventId: "mygame_Boss_defeated", client: "Godot/4.6" });
  assert.equal(matchesPageFilter(row, { text: "boss godot", refusals: "shown" }), true);
  assert.equal(matchesPageFilter(row, { text: "boss unity", refusals: "shown" }), false);
});

test("hidden refusals match no filter text", () => {
  assert.equal(matchesPageFilter(sampleRefusalRow({}), { refusals: "hidden" }), false);
});
