// The filter survives the address, and decides row by row.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everything, filterIn, fragmentOf, passesSource, passesView } from "./event-filter.ts";
import { eventRowOf, refusalRowOf } from "./feed.samples.ts";

test("a filter read back from its fragment is the same filter", () => {
  for (const filter of [
    everything,
    { game: "my game & more", kind: "social", text: "boss? #1", refusals: "hidden" } as const,
    { game: "unsorted", refusals: "shown" } as const,
  ]) {
    assert.deepEqual(filterIn(fragmentOf(filter)), filter);
  }
});

test("an address with nonsense shows everything", () => {
  assert.deepEqual(filterIn("#/live?kind=nonsense&refusals=maybe&game="), everything);
  assert.deepEqual(filterIn(""), everything);
});

test("a filter by game leaves other games out and refusals in", () => {
  const filter = { game: "mygame", refusals: "shown" } as const;
  assert.equal(passesSource(eventRowOf({ game: "mygame" }), filter), true);
  assert.equal(passesSource(eventRowOf({ game: "other" }), filter), false);
  assert.equal(passesSource(refusalRowOf({}), filter), true);
});

test("unsorted means events without a game", () => {
  const filter = { game: "unsorted", refusals: "shown" } as const;
  assert.equal(passesSource(eventRowOf({ game: null }), filter), true);
  assert.equal(passesSource(eventRowOf({ game: "mygame" }), filter), false);
});

test("a filter by kind keeps refusals of that kind and of none", () => {
  const filter = { kind: "social", refusals: "shown" } as const;
  assert.equal(passesSource(refusalRowOf({ kind: "social" }), filter), true);
  assert.equal(passesSource(refusalRowOf({ kind: null }), filter), true);
  assert.equal(passesSource(refusalRowOf({ kind: "monitor" }), filter), false);
});

test("every word must occur, in any member and any case", () => {
  const row = eventRowOf({ eventId: "mygame_Boss_defeated", client: "Godot/4.6" });
  assert.equal(passesView(row, { text: "boss godot", refusals: "shown" }), true);
  assert.equal(passesView(row, { text: "boss unity", refusals: "shown" }), false);
});

test("hidden refusals are hidden", () => {
  assert.equal(passesView(refusalRowOf({}), { refusals: "hidden" }), false);
});
