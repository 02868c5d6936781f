// The first change is announced at once, later ones together, and none is lost.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as aTurn } from "node:timers/promises";
import type { FeedItem } from "@kit/contract";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { type ChangeTopic, createChangeNotifier, refetchTopic } from "./changes.ts";

const changed = (what: ChangeTopic): FeedItem => ({ type: "changed", what });

function listening() {
  mock.timers.enable({ apis: ["setTimeout"] });
  const told: ChangeTopic[] = [];
  const changes = createChangeNotifier((what) => told.push(what), 250);
  return { told, changes, [Symbol.dispose]: () => mock.timers.reset() };
}

test("the first change is told of without a wait", () => {
  using heard = listening();
  heard.changes.handleItems([changed("clips")]);
  assert.deepEqual(heard.told, ["clips"]);
});

test("a burst is told of once more after the wait, each kind once", () => {
  using heard = listening();
  for (let n = 0; n < 100; n += 1) heard.changes.handleItems([changed("clips"), changed("recorder")]);
  assert.deepEqual(heard.told, ["clips", "recorder"]);
  mock.timers.tick(250);
  assert.deepEqual(heard.told, ["clips", "recorder", "clips", "recorder"]);
  mock.timers.tick(1_000);
  assert.equal(heard.told.length, 4, "nothing is told of twice");
});

test("after a quiet while the next change is told of without a wait again", () => {
  using heard = listening();
  heard.changes.handleItems([changed("clips")]);
  mock.timers.tick(250);
  heard.changes.handleItems([changed("games")]);
  assert.deepEqual(heard.told, ["clips", "games"]);
});

test("other items are nothing to fetch for, and what was missed is told of like a change", () => {
  using heard = listening();
  heard.changes.handleItems([{ type: "skipped", events: 3 }]);
  assert.deepEqual(heard.told, []);
  heard.changes.notify(["clips", "recorder"]);
  assert.deepEqual(heard.told, ["clips", "recorder"]);
});

test("once stopped it is silent", () => {
  using heard = listening();
  heard.changes.handleItems([changed("clips")]);
  heard.changes.handleItems([changed("clips")]);
  heard.changes.stop();
  mock.timers.tick(1_000);
  assert.deepEqual(heard.told, ["clips"]);
});

/** A mounted list query; the test decides when each request is answered. */
function shownList() {
  const queryClient = new QueryClient();
  const asked: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ["clips", "list"],
    queryFn: () => new Promise<string>((resolve) => asked.push(resolve)),
  });
  const close = observer.subscribe(() => undefined);
  const answer = async (n: number, text: string) => {
    asked[n]?.(text);
    await aTurn();
  };
  const shown = () => observer.getCurrentResult().data;
  return { queryClient, asked, answer, shown, [Symbol.dispose]: close };
}

test("what changes while a list is fetched for the first time is fetched behind it, once", async () => {
  using list = shownList();
  for (let n = 0; n < 3; n += 1) refetchTopic(list.queryClient, "clips");
  assert.equal(list.asked.length, 1);
  await list.answer(0, "without the clip");
  assert.equal(list.asked.length, 2);
  await list.answer(1, "with the clip");
  assert.equal(list.shown(), "with the clip");
  assert.equal(list.asked.length, 2);
});

test("what changes while a list is fetched again begins that anew", async () => {
  using list = shownList();
  await list.answer(0, "nothing yet");
  refetchTopic(list.queryClient, "clips");
  refetchTopic(list.queryClient, "clips");
  assert.equal(list.asked.length, 3);
  await list.answer(1, "too old");
  await list.answer(2, "with the clip");
  assert.equal(list.shown(), "with the clip");
});

test("a change of what a list is not of leaves it alone", async () => {
  using list = shownList();
  refetchTopic(list.queryClient, "posts");
  await list.answer(0, "as it is");
  assert.deepEqual([list.shown(), list.asked.length], ["as it is", 1]);
});
