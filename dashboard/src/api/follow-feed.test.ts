// Tests of following the feed: it reconnects where it stopped, and ends only if no retry can help.
import assert from "node:assert/strict";
import { type FeedItem, KitError } from "@kit/contract";
import { test } from "vitest";
import { type FeedConnection, followFeed, retryDelayMs } from "./follow-feed.ts";

const skipped = (events: number): FeedItem => ({ type: "skipped", events });
const sse = (id: string, item: FeedItem) => `id: ${id}\nevent: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`;

/** A response with these chunks that then ends, or stays open and silent until it is aborted. */
function answer(chunks: string[], signal: AbortSignal, then: "end" | "silence" = "end"): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      if (then === "end") return controller.close();
      signal.addEventListener("abort", () => controller.error(signal.reason));
    },
  });
  return new Response(body);
}

/** A tab that can be hidden and shown. */
function tabModel(visibilityState: DocumentVisibilityState = "visible") {
  const page = Object.assign(new EventTarget(), { visibilityState });
  const set = (state: DocumentVisibilityState) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { page: page as unknown as Document, hide: () => set("hidden"), show: () => set("visible") };
}

/** Answers the nth connection with the nth step; stops the feed after the last step. */
async function follow(
  steps: ((signal: AbortSignal) => Response)[],
  silenceMs?: number,
  { page } = tabModel(),
  onItem: () => void = () => undefined,
) {
  const stop = new AbortController();
  const lastEventIds: string[] = [];
  const items: FeedItem[] = [];
  const connections: FeedConnection[] = [];
  await followFeed(
    {
      page,
      open: async (lastEventId, signal) => {
        lastEventIds.push(lastEventId);
        const step = steps.shift();
        if (!step) throw new TypeError("nobody answers");
        return step(signal);
      },
      onItem: (item) => {
        items.push(item);
        onItem();
      },
      onConnection: (connection) => connections.push(connection),
      wait: async () => {
        if (steps.length === 0) stop.abort();
      },
      signal: stop.signal,
      ...(silenceMs === undefined ? {} : { silenceMs }),
    },
    "start",
  );
  return { lastEventIds, items, connections };
}

test("after a broken connection the feed continues after the last item it read", async () => {
  const { lastEventIds, items } = await follow([
    (signal) => answer([sse("a", skipped(1)), sse("b", skipped(2))], signal),
    (signal) => answer([sse("c", skipped(3))], signal),
  ]);
  assert.deepEqual(lastEventIds, ["start", "b"]);
  assert.deepEqual(items, [skipped(1), skipped(2), skipped(3)]);
});

test("an item that was cut off in the middle is requested again", async () => {
  const { lastEventIds, items } = await follow([
    (signal) => answer([sse("a", skipped(1)), sse("b", skipped(2)).slice(0, 20)], signal),
    (signal) => answer([sse("b", skipped(2))], signal),
  ]);
  assert.deepEqual(lastEventIds, ["start", "a"]);
  assert.deepEqual(items, [skipped(1), skipped(2)]);
});

test("an item in two chunks that were split inside a character is read correctly", async () => {
  const bytes = new TextEncoder().encode(
    sse("a", { type: "receipt", id: "é🦊", entry: { state: "saved", at: "", by: "" } }),
  );
  const at = bytes.indexOf(0xf0) + 2;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, at));
        controller.enqueue(bytes.slice(at));
        controller.close();
      },
    });
  const { items } = await follow([() => new Response(body())]);
  assert.equal(items[0]?.type === "receipt" && items[0].id, "é🦊");
});

test("a silent connection is closed and opened again", async () => {
  const { lastEventIds } = await follow(
    [(signal) => answer([sse("a", skipped(1)), ": still here\n\n"], signal, "silence"), (signal) => answer([], signal)],
    20,
  );
  assert.deepEqual(lastEventIds, ["start", "a"]);
});

test("a hidden tab closes its feed, and continues after the last item when it is shown", async () => {
  const tab = tabModel();
  const closed: boolean[] = [];
  const onItem = () => {
    if (closed.length > 0) return;
    tab.hide();
    // Later, so that the feed has seen that the tab is hidden.
    setImmediate(() => {
      closed.push(first?.aborted === true);
      tab.show();
    });
  };
  let first: AbortSignal | undefined;
  const { lastEventIds, items, connections } = await follow(
    [
      (signal) => {
        first = signal;
        return answer([sse("a", skipped(1))], signal, "silence");
      },
      (signal) => answer([sse("b", skipped(2))], signal),
    ],
    undefined,
    tab,
    onItem,
  );
  assert.deepEqual([lastEventIds, closed], [["start", "a"], [true]]);
  assert.deepEqual(items, [skipped(1), skipped(2)]);
  assert.deepEqual(
    connections.map(({ state }) => state),
    ["connecting", "live", "live", "reconnecting"],
  );
});

test("a tab that is opened in the background opens its feed only when it is shown", async () => {
  const tab = tabModel("hidden");
  let opened = 0;
  const following = follow(
    [
      (signal) => {
        opened += 1;
        return answer([], signal);
      },
    ],
    undefined,
    tab,
  );
  await new Promise(setImmediate);
  assert.equal(opened, 0);
  tab.show();
  await following;
  assert.equal(opened, 1);
});

test("a feed that is stopped while its tab is hidden ends", async () => {
  const stop = new AbortController();
  const following = followFeed(
    {
      page: tabModel("hidden").page,
      open: () => assert.fail("a hidden tab opened its feed"),
      onItem: () => undefined,
      onConnection: () => undefined,
      wait: async () => undefined,
      signal: stop.signal,
    },
    "start",
  );
  stop.abort();
  await following;
});

test("the feed retries when the launcher is busy or does not answer", async () => {
  const { connections } = await follow([
    () => {
      throw new KitError("too_many_requests", "busy");
    },
    () => {
      throw new TypeError("Failed to fetch");
    },
    (signal) => answer([], signal),
  ]);
  assert.deepEqual(
    connections.map((connection) => connection.state),
    ["connecting", "reconnecting", "reconnecting", "live", "reconnecting"],
  );
});

test("the feed ends when the sign-in session has ended", async () => {
  const { connections } = await follow([
    () => {
      throw new KitError("unauthorized", "no session");
    },
  ]);
  assert.deepEqual(connections.at(-1), { state: "ended", why: "unauthorized" });
});

test("the feed ends if the launcher does not know its cursor, so that the list is loaded again", async () => {
  const { connections } = await follow([
    () => {
      throw new KitError("payload_invalid", "no such cursor");
    },
  ]);
  assert.deepEqual(connections.at(-1), { state: "ended", why: "cursor_lost" });
});

test("the retry delays grow up to a limit", () => {
  const delays = [1, 2, 3, 10, 60].map((attempt) => retryDelayMs(attempt, () => 1));
  assert.deepEqual(delays, [300, 600, 1200, 8000, 8000]);
  assert.equal(
    retryDelayMs(1, () => 0),
    225,
  );
});
