// Sums, in words, and silence when nothing came.
import assert from "node:assert/strict";
import { test } from "node:test";
import { announcementOf } from "./announcement.ts";

test("what arrived is told in one sentence", () => {
  const before = { events: 2, refusals: 1 };
  assert.equal(announcementOf(before, { events: 3, refusals: 1 }), "1 new event");
  assert.equal(announcementOf(before, { events: 7, refusals: 3 }), "5 new events, 2 requests refused");
});

test("nothing new says nothing", () => {
  assert.equal(announcementOf({ events: 2, refusals: 1 }, { events: 2, refusals: 1 }), "");
});
