// Tests of sending with fetch, and that no failure of fetch reaches the game. They need no engine.
import assert from "node:assert/strict";
import { setImmediate as promisesSettle } from "node:timers/promises";
import { test } from "vitest";
import { abortController, fetchThatRecords, loadPlugin } from "./plugin-in-vm.ts";

const oneCall = 'KitSDK.Recording.triggerEvent("a_b")';
const hundredCalls = 'for (var i = 0; i < 100; i += 1) KitSDK.Recording.triggerEvent("n_" + i)';
const timeoutMs = 5_000;

type Fetched = { url: string; options: Record<string, unknown> & { signal?: { aborted: number } }; cancelled: number };

/** A world with a clock that the test controls: `takeTurns` sends what waits, `timeOut` is 5 seconds later. */
function load(before: string) {
  const plugin = loadPlugin({ before, hasTimers: true });
  const done = new Set<unknown>();
  function runTimers(isMeant: (ms: number) => boolean): void {
    // Timers that are added meanwhile run too.
    for (const timer of plugin.timers) {
      if (done.has(timer) || timer.isCleared || !isMeant(timer.ms)) continue;
      done.add(timer);
      timer.run();
    }
  }
  return {
    ...plugin,
    fetched: () => [...(plugin.run("fetched") as Fetched[])],
    takeTurns: () => runTimers((ms) => ms < timeoutMs),
    timeOut: () => runTimers((ms) => ms === timeoutMs),
    inUse: () => plugin.timers.filter((timer) => !timer.isCleared && !done.has(timer)).length,
  };
}

test("with fetch, an event is one POST without credentials, and redirects are not followed", () => {
  const { run, takeTurns, sent, fetched } = load(fetchThatRecords + abortController);
  run(oneCall);
  takeTurns();
  assert.equal(sent.length, 0, "nothing is sent with XMLHttpRequest");
  assert.deepEqual(
    fetched().map(({ url }) => url),
    ["http://127.0.0.1:9876/api/recording/trigger"],
  );
  const { body, headers, signal, ...rest } = fetched()[0]?.options ?? {};
  assert.equal(JSON.parse(body as string).eventId, "a_b");
  assert.deepEqual({ ...(headers as object) }, { "Content-Type": "application/json" });
  assert.deepEqual(rest, { method: "POST", cache: "no-store", credentials: "omit", redirect: "error" });
  assert.ok(signal);
});

/** What was sent, and whether the browser may finish it without the page. */
const keptAlive = (fetched: readonly Fetched[]) => fetched.map(({ options }) => options.keepalive === true);

test("the browser may finish what a closing page sends, but no more requests than it allows", () => {
  const { run, takeTurns, quit, fetched } = load(fetchThatRecords + abortController);
  run(oneCall);
  takeTurns();
  run(hundredCalls);
  quit();
  assert.deepEqual(keptAlive(fetched()), [false, ...Array(9).fill(true), ...Array(54).fill(false)]);
});

test("the browser may finish no more than 64 KiB, and a page that stays open sends without it", () => {
  const { run, takeTurns, quit, fetched } = load(fetchThatRecords + abortController);
  run('KitSDK.Monitor.reportError("a", "b".repeat(20000)); KitSDK.Monitor.reportError("c", "d".repeat(20000));');
  run(oneCall);
  quit();
  run(oneCall);
  takeTurns();
  assert.deepEqual(keptAlive(fetched()), [true, false, true, false]);
});

test("a page that was not closed after all has its nine requests again once the earlier ones are over", () => {
  const { run, quit, timeOut, fetched } = load(fetchThatRecords + abortController);
  run(hundredCalls);
  quit();
  timeOut();
  run(hundredCalls);
  quit();
  const oneClose = [...Array(9).fill(true), ...Array(55).fill(false)];
  assert.deepEqual(keptAlive(fetched()), [...oneClose, ...oneClose]);
});

test("an engine that refuses requests without a page is sent none", () => {
  for (const [version, kept] of [
    [80, false],
    [81, true],
  ] as const) {
    const navigator = `var navigator = { userAgent: "Mozilla/5.0 (X11) Chrome/${version}.0.1.2 Safari/537.36" };`;
    const { run, quit, fetched } = load(navigator + fetchThatRecords + abortController);
    run(oneCall);
    quit();
    assert.deepEqual(keptAlive(fetched()), [kept], `Chromium ${version}`);
  }
});

test("without fetch or promises, an event is sent with XMLHttpRequest", () => {
  for (const lacking of ["var fetch = undefined", "var fetch = {}", `${fetchThatRecords} Promise = undefined`]) {
    const { run, takeTurns, sent } = load(lacking);
    run(oneCall);
    takeTurns();
    assert.equal(sent.length, 1, lacking);
  }
});

test("a fetch is aborted and its timer cleared as soon as the head of its answer arrives", async () => {
  const { run, takeTurns, inUse, fetched } = load(fetchThatRecords + abortController);
  run(oneCall);
  takeTurns();
  assert.equal(inUse(), 1);
  run("fetched[0].answer()");
  await promisesSettle();
  assert.deepEqual([fetched()[0]?.options.signal?.aborted, inUse()], [1, 0]);
});

test("a fetch without an answer is aborted after 5 seconds, and frees its place for another", () => {
  const { run, takeTurns, timeOut, fetched } = load(fetchThatRecords + abortController);
  run(hundredCalls);
  takeTurns();
  assert.equal(fetched().length, 64);
  timeOut();
  assert.ok(fetched().every(({ options }) => options.signal?.aborted === 1));
  run(hundredCalls);
  takeTurns();
  assert.equal(fetched().length, 128);
});

test("an engine that cannot abort a fetch has at most 64, and cancels the bodies of their answers", async () => {
  const { run, takeTurns, timeOut, fetched } = load(fetchThatRecords);
  for (let round = 0; round < 3; round += 1) {
    run(hundredCalls);
    takeTurns();
    timeOut();
  }
  assert.equal(fetched().length, 64);
  run("fetched.forEach(function (call) { call.answer(); })");
  await promisesSettle();
  assert.ok(fetched().every(({ cancelled }) => cancelled === 1));
  run(hundredCalls);
  takeTurns();
  assert.equal(fetched().length, 128);
});

test("a failed fetch causes no unhandled rejection and frees its place", async () => {
  const { run, takeTurns, inUse, fetched } = load(fetchThatRecords + abortController);
  const unhandled: unknown[] = [];
  const hear = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", hear);
  run(hundredCalls);
  takeTurns();
  run('fetched.forEach(function (call) { call.fail(new TypeError("Failed to fetch")); })');
  await promisesSettle();
  process.off("unhandledRejection", hear);
  assert.deepEqual([unhandled, inUse()], [[], 0]);
  run(hundredCalls);
  takeTurns();
  assert.equal(fetched().length, 128);
});

test("a broken fetch throws nothing into the game, and does not use up the 64 places", () => {
  const broken = [
    'var fetch = function () { throw new Error("not here"); }',
    "var fetch = function () { return undefined; }",
    "var fetch = function () { return { then: function () { throw 1; } }; }",
    `${fetchThatRecords} var AbortController = function () { throw 1; }`,
    `${fetchThatRecords} var AbortController = function () { this.abort = function () { throw 1; }; }`,
  ];
  for (const before of broken) {
    const { run, takeTurns, quit } = load(`var asked = 0; ${before}; fetch = (function (original) {
      return function (url, options) { asked += 1; return original(url, options); };
    })(fetch);`);
    run(hundredCalls);
    assert.doesNotThrow(takeTurns, before);
    quit();
    const isSent = before.startsWith(fetchThatRecords);
    run(hundredCalls);
    takeTurns();
    assert.equal(run("asked"), isSent ? 64 : 128, before);
  }
});

test("a world without timers sends with fetch too", () => {
  const { run } = loadPlugin({ before: fetchThatRecords + abortController });
  run(oneCall);
  const [call] = run("fetched") as Fetched[];
  assert.equal(call?.options.signal?.aborted, 0);
});
