// Tests of changes from the feed: the first is announced at once, later ones together, and none is lost.
import assert from "node:assert/strict";
import { setImmediate as aTurn } from "node:timers/promises";
import type { FeedItem } from "@kit/contract";
import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { test, vi } from "vitest";
import { type ChangeTopic, createChangeNotifier, KitQueryClient, refetchTopic } from "./changes.ts";

const changed = (what: ChangeTopic): FeedItem => ({ type: "changed", what });

function recordChanges() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const announced: ChangeTopic[] = [];
  const changes = createChangeNotifier((what) => announced.push(what), 250);
  return { announced, changes, [Symbol.dispose]: () => vi.useRealTimers() };
}

test("the first change is announced without a wait", () => {
  using recorded = recordChanges();
  recorded.changes.handleItems([changed("clips")]);
  assert.deepEqual(recorded.announced, ["clips"]);
});

test("a burst of changes is announced once more after the wait, each topic once", () => {
  using recorded = recordChanges();
  for (let n = 0; n < 100; n += 1) recorded.changes.handleItems([changed("clips"), changed("recorder")]);
  assert.deepEqual(recorded.announced, ["clips", "recorder"]);
  vi.advanceTimersByTime(250);
  assert.deepEqual(recorded.announced, ["clips", "recorder", "clips", "recorder"]);
  vi.advanceTimersByTime(1_000);
  assert.equal(recorded.announced.length, 4, "no change is announced twice");
});

test("after a quiet period, the next change is announced without a wait again", () => {
  using recorded = recordChanges();
  recorded.changes.handleItems([changed("clips")]);
  vi.advanceTimersByTime(250);
  recorded.changes.handleItems([changed("games")]);
  assert.deepEqual(recorded.announced, ["clips", "games"]);
});

test("other feed items announce nothing, and notify announces topics like changes", () => {
  using recorded = recordChanges();
  recorded.changes.handleItems([{ type: "skipped", events: 3 }]);
  assert.deepEqual(recorded.announced, []);
  recorded.changes.notify(["clips", "recorder"]);
  assert.deepEqual(recorded.announced, ["clips", "recorder"]);
});

test("a stopped notifier announces nothing", () => {
  using recorded = recordChanges();
  recorded.changes.handleItems([changed("clips")]);
  recorded.changes.handleItems([changed("clips")]);
  recorded.changes.stop();
  vi.advanceTimersByTime(1_000);
  assert.deepEqual(recorded.announced, ["clips"]);
});

/** A mounted list query; the test decides when each request is answered. */
function shownList() {
  const queryClient = new KitQueryClient();
  const requests: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: ["clips", "list"],
    queryFn: () => new Promise<string>((resolve) => requests.push(resolve)),
  });
  const close = observer.subscribe(() => undefined);
  const answer = async (n: number, text: string) => {
    requests[n]?.(text);
    await aTurn();
  };
  const shown = () => observer.getCurrentResult().data;
  return { queryClient, requests, answer, shown, [Symbol.dispose]: close };
}

test("changes during the first request of a list cause one more request after it", async () => {
  using list = shownList();
  for (let n = 0; n < 3; n += 1) refetchTopic(list.queryClient, "clips");
  assert.equal(list.requests.length, 1);
  await list.answer(0, "without the clip");
  assert.equal(list.requests.length, 2);
  await list.answer(1, "with the clip");
  assert.equal(list.shown(), "with the clip");
  assert.equal(list.requests.length, 2);
});

test("a change during a later request of a list restarts that request", async () => {
  using list = shownList();
  await list.answer(0, "nothing yet");
  refetchTopic(list.queryClient, "clips");
  refetchTopic(list.queryClient, "clips");
  assert.equal(list.requests.length, 3);
  await list.answer(1, "too old");
  await list.answer(2, "with the clip");
  assert.equal(list.shown(), "with the clip");
});

test("after a person's own change, a list is fetched again even if its first request is under way", async () => {
  using list = shownList();
  const settled = list.queryClient.invalidateQueries({ queryKey: ["clips"] });
  await list.answer(0, "without the copy");
  await list.answer(1, "with the copy");
  await settled;
  assert.deepEqual([list.shown(), list.requests.length], ["with the copy", 2]);
});

test("an answer to an earlier request does not replace what the launcher answered to a change", async () => {
  using list = shownList();
  list.queryClient.setQueryData(["clips", "list"], "changed");
  await list.answer(0, "as before the change");
  assert.equal(list.shown(), "changed");
  await list.answer(1, "changed, and one more");
  assert.deepEqual([list.shown(), list.requests.length], ["changed, and one more", 2]);
});

test("data set while the next page is fetched keeps that page coming, and fetches no other again", async () => {
  const queryClient = new KitQueryClient();
  const asked: number[] = [];
  let answer: (text: string) => void = () => undefined;
  const observer = new InfiniteQueryObserver(queryClient, {
    queryKey: ["issue-pages"],
    initialPageParam: 0,
    getNextPageParam: (_page: string, pages) => pages.length,
    queryFn: ({ pageParam }) => {
      asked.push(pageParam);
      return new Promise<string>((resolve) => {
        answer = resolve;
      });
    },
  });
  const close = observer.subscribe(() => undefined);
  const answerWith = async (text: string) => {
    answer(text);
    await aTurn();
  };
  await answerWith("open");
  void observer.fetchNextPage();
  queryClient.setQueryData(["issue-pages"], { pages: ["resolved"], pageParams: [0] });
  await answerWith("more");
  assert.deepEqual(observer.getCurrentResult().data?.pages, ["resolved", "more"]);
  assert.deepEqual(asked, [0, 1, 1]);
  close();
});

test("a change of another topic does not reload a list", async () => {
  using list = shownList();
  refetchTopic(list.queryClient, "posts");
  await list.answer(0, "as it is");
  assert.deepEqual([list.shown(), list.requests.length], ["as it is", 1]);
});
