// Announcements contain counts only, and nothing if nothing arrived.
import assert from "node:assert/strict";
import { test } from "node:test";
import { announcementText } from "./announcement.ts";

test("what arrived is told in one sentence", () => {
  const before = { events: 2, refusals: 1 };
  assert.equal(announcementText(before, { events: 3, refusals: 1 }), "1 new event");
  assert.equal(announcementText(before, { events: 7, refusals: 3 }), "5 new events, 2 requests refused");
});

test("nothing new says nothing", () => {
  assert.equal(announcementText({ events: 2, refusals: 1 }, { events: 2, refusals: 1 }), "");
});
