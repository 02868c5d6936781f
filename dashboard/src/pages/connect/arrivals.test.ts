// Tests of arrivals on the Connect page: only the first event since the page started waiting counts as arrived.
import assert from "node:assert/strict";
import type { FeedItem } from "@kit/contract";
import { test } from "vitest";
import { createRefusal, eventItem, nthEvent, receiptItem } from "../../../test/feed-samples.ts";
import { type Arrivals, arrivalsReducer } from "./arrivals.ts";

/** The page starts waiting at second 10 of the sample day, so `nthEvent(10)` and later ones are new. */
const started: Arrivals = { since: nthEvent(10).receivedAt };
const receive = (arrivals: Arrivals, ...items: FeedItem[]) => arrivalsReducer(arrivals, { type: "received", items });
const list = (arrivals: Arrivals, ...seconds: number[]) =>
  arrivalsReducer(arrivals, { type: "listed", events: seconds.map((second) => nthEvent(second)) });
const refused = (second: number): FeedItem => ({
  type: "refusal",
  refusal: createRefusal({ number: second, at: nthEvent(second).receivedAt }),
});

test("the first event since the page started waiting has arrived, and later events do not replace it", () => {
  const arrivals = receive(started, eventItem(nthEvent(11)), eventItem(nthEvent(12)));
  assert.equal(arrivals.event?.id, nthEvent(11).id);
  assert.equal(receive(arrivals, eventItem(nthEvent(13))).event?.id, nthEvent(11).id);
});

test("an event from before the page started waiting is the earlier event, and never the arrived one", () => {
  assert.deepEqual(list(started, 9, 8), { ...started, earlier: nthEvent(9) });
  assert.deepEqual(receive(started, eventItem(nthEvent(9))), started);
});

test("an event between the start of the wait and the first list has arrived", () => {
  const arrivals = list(started, 12, 11, 9);
  assert.equal(arrivals.event?.id, nthEvent(11).id);
  assert.equal(arrivals.earlier?.id, nthEvent(9).id);
});

test("the state of the event follows its own receipt, and no other", () => {
  const arrivals = receive(started, eventItem(nthEvent(11)), receiptItem(nthEvent(11).id, "handed-over", 1));
  assert.equal(arrivals.event?.state, "handed-over");
  assert.equal(receive(arrivals, receiptItem(nthEvent(12).id, "failed", 2)).event?.state, "handed-over");
});

test("the newest refused request is kept until an event arrives, and none after that", () => {
  const arrivals = receive(started, refused(11), refused(12));
  assert.equal(arrivals.refusal?.number, 12);
  const done = receive(arrivals, eventItem(nthEvent(13)), refused(14));
  assert.equal(done.refusal, undefined);
  assert.equal(done.event?.id, nthEvent(13).id);
});

test("refused requests from before the wait are ignored", () => {
  assert.deepEqual(receive(started, refused(9)), started);
});

test("waiting again starts over, and keeps the last arrival as the earlier event", () => {
  const arrived = receive(started, eventItem(nthEvent(11)));
  const again = arrivalsReducer(arrived, { type: "again", since: nthEvent(20).receivedAt });
  assert.deepEqual(again, { since: nthEvent(20).receivedAt, earlier: nthEvent(11) });
  assert.equal(receive(again, eventItem(nthEvent(21))).event?.id, nthEvent(21).id);
});
