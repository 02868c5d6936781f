// A change is told of at once, many of them together, and none is lost.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { FeedItem } from "@kit/contract";
import { type Changed, createChanges } from "./changes.ts";

const changed = (what: Changed): FeedItem => ({ type: "changed", what });

function listening() {
  mock.timers.enable({ apis: ["setTimeout"] });
  const told: Changed[] = [];
  const changes = createChanges((what) => told.push(what), 250);
  return { told, changes, [Symbol.dispose]: () => mock.timers.reset() };
}

test("the first change is told of without a wait", () => {
  using heard = listening();
  heard.changes.take([changed("clips")]);
  assert.deepEqual(heard.told, ["clips"]);
});

test("a burst is told of once more after the wait, each kind once", () => {
  using heard = listening();
  for (let n = 0; n < 100; n += 1) heard.changes.take([changed("clips"), changed("recorder")]);
  assert.deepEqual(heard.told, ["clips", "recorder"]);
  mock.timers.tick(250);
  assert.deepEqual(heard.told, ["clips", "recorder", "clips", "recorder"]);
  mock.timers.tick(1_000);
  assert.equal(heard.told.length, 4, "nothing is told of twice");
});

test("after a quiet while the next change is told of without a wait again", () => {
  using heard = listening();
  heard.changes.take([changed("clips")]);
  mock.timers.tick(250);
  heard.changes.take([changed("games")]);
  assert.deepEqual(heard.told, ["clips", "games"]);
});

test("other items are nothing to fetch for, and what was missed is told of like a change", () => {
  using heard = listening();
  heard.changes.take([{ type: "skipped", events: 3 }]);
  assert.deepEqual(heard.told, []);
  heard.changes.missed(["clips", "recorder"]);
  assert.deepEqual(heard.told, ["clips", "recorder"]);
});

test("once stopped it is silent", () => {
  using heard = listening();
  heard.changes.take([changed("clips")]);
  heard.changes.take([changed("clips")]);
  heard.changes.stop();
  mock.timers.tick(1_000);
  assert.deepEqual(heard.told, ["clips"]);
});
