// Tests of the announcements of the Live page: they contain counts only, and are empty if nothing arrived.
import assert from "node:assert/strict";
import { test } from "vitest";
import { announcementText } from "./use-feed.ts";

test("new rows are announced in one sentence", () => {
  const before = { events: 2, refusals: 1 };
  assert.equal(announcementText(before, { events: 3, refusals: 1 }), "1 new event");
  assert.equal(announcementText(before, { events: 7, refusals: 3 }), "5 new events, 2 requests refused");
});

test("the announcement is empty if nothing is new", () => {
  assert.equal(announcementText({ events: 2, refusals: 1 }, { events: 2, refusals: 1 }), "");
});
