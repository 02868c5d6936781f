// Tests of what the plugin reports of errors that nobody caught, without an engine.
import assert from "node:assert/strict";
import { test } from "vitest";
import { abortController, fetchThatRecords, loadPlugin, type World } from "./plugin-in-vm.ts";

const on = { "Report Uncaught Errors": "true" };

/** The engine's loop, which catches what a frame throws, and a clock that the test sets. */
const engine = `
  var nowMs = 1e12;
  Date.now = function () { return nowMs; };
  var caught = [];
  var SceneManager = { catchException: function (error) { caught.push([this === SceneManager, error]); return "shown"; } };
  var engineCatches = SceneManager.catchException;`;

function load(parameters: Record<string, string> = on, world: World = {}) {
  const plugin = loadPlugin({ parameters, ...world, before: engine + (world.before ?? "") });
  const bodies = () => plugin.sent.map(({ body }) => JSON.parse(body) as Record<string, string>);
  const said = () => bodies().map(({ message }) => message);
  return { ...plugin, bodies, said };
}

for (const [what, parameters] of [
  ["left out", {}],
  ["off", { "Report Uncaught Errors": "false" }],
  ["without a value", { "Report Uncaught Errors": "" }],
  ["without monitor", { ...on, "Enable Monitor": "false" }],
  ["without a usable address", { ...on, "Launcher URL": "127.0.0.1:9876" }],
] as const) {
  test(`${what}: the plugin listens to no error and replaces no part of the engine`, () => {
    const { listensTo, run, sent } = load(parameters);
    assert.deepEqual(listensTo, ["beforeunload"]);
    assert.equal(run("SceneManager.catchException === engineCatches"), true);
    run('SceneManager.catchException(new Error("boom"))');
    assert.equal(sent.length, 0);
  });
}

test("KitSDK.Config says whether uncaught errors are reported", () => {
  assert.equal(load().run("KitSDK.Config.reportUncaughtErrors"), true);
  assert.equal(load({}).run("KitSDK.Config.reportUncaughtErrors"), false);
});

test("an error, a rejection and an exception of a frame are each reported once, with stack and build", () => {
  const { raise, run, bodies } = load({ ...on, Build: "1.4.2" });
  raise(
    "error",
    '{ message: "Uncaught TypeError: a", error: new TypeError("a"), filename: "x.js", lineno: 3, colno: 4 }',
  );
  raise("unhandledrejection", '{ reason: new RangeError("b") }');
  run('SceneManager.catchException(new Error("c"))');
  const reports = bodies();
  assert.deepEqual(
    reports.map(({ message, build }) => [message, build]),
    [
      ["TypeError: a", "1.4.2"],
      ["RangeError: b", "1.4.2"],
      ["Error: c", "1.4.2"],
    ],
  );
  for (const { message = "", stackTrace = "" } of reports) {
    assert.ok(stackTrace.startsWith(`${message}\n    at `), stackTrace);
  }
});

test("the engine's own handling of an exception runs as without the plugin", () => {
  const { run } = load();
  assert.equal(run('var broken = new Error("c"); SceneManager.catchException(broken)'), "shown");
  assert.equal(run("caught.length === 1 && caught[0][0] && caught[0][1] === broken"), true);
});

test("no event is stopped or marked as handled", () => {
  const { raise, run } = load();
  const untouchable = (members: string) => `new Proxy({ ${members} }, { get: function (event, name) {
    if (/^(prevent|stop|cancel|return)/.test(name)) touched = name;
    return event[name];
  } })`;
  run("var touched = null");
  raise("error", untouchable('message: "m", error: new Error("a")'));
  raise("unhandledrejection", untouchable('reason: new Error("b")'));
  assert.equal(run("touched"), null);
});

test("the same error is reported once, whichever hooks it reaches", () => {
  const { raise, run, said } = load();
  run('var same = new Error("same")');
  run("SceneManager.catchException(same)");
  raise("error", '{ message: "Uncaught Error: same", error: same }');
  raise("unhandledrejection", "{ reason: same }");
  raise("error", '{ message: "Uncaught Error: same", error: new Error("same") }');
  assert.deepEqual(said(), ["Error: same", "Error: same"]);
});

test("what is thrown and is no error is reported with what the engine knows of it", () => {
  const { raise, run, bodies } = load();
  const place = 'filename: "js/a.js", lineno: 3, colno: 4';
  raise("error", `{ message: "Uncaught text", error: "text", ${place} }`);
  raise("error", `{ message: "Uncaught #<Object>", error: {}, ${place} }`);
  raise("error", '{ message: "Script error.", error: null, filename: "", lineno: 0, colno: 0 }');
  raise("unhandledrejection", "{ reason: undefined }");
  run('SceneManager.catchException(["LoadError", "img/a.png", function retry() {}])');
  run("SceneManager.catchException({})");
  raise("error", "{}");
  assert.deepEqual(
    bodies().map(({ message, stackTrace }) => [message, stackTrace]),
    [
      ["text", "    at js/a.js:3:4"],
      ["Uncaught #<Object>", "    at js/a.js:3:4"],
      ["Script error.", ""],
      ["A promise was rejected without a reason", ""],
      ["LoadError: img/a.png", ""],
      ["UnknownError", ""],
    ],
  );
});

test("of 1,000 errors at most 10 in any second are reported, and the next report counts the others", () => {
  const { raise, run, sent, bodies } = load(on);
  const storm = (count: number) => {
    for (let n = 0; n < count; n += 1) raise("error", '{ message: "m", error: new Error("boom") }');
    for (const request of sent) request.onloadend?.();
  };
  storm(1_000);
  assert.equal(sent.length, 10);
  run("nowMs += 999");
  storm(1);
  assert.equal(sent.length, 10);
  run("nowMs += 1");
  storm(1_000);
  assert.equal(sent.length, 20);
  const counts = bodies().map(
    ({ stackTrace = "" }) => /\nUncaught errors not reported before this one: (\d+)$/.exec(stackTrace)?.[1],
  );
  assert.deepEqual(counts, [...Array(10), "991", ...Array(9)]);
});

test("a report that takes long on a busy computer does not shorten the second after it", () => {
  const { raise, run, sent } = load();
  run(
    'var slow = { message: "m", get stack() { nowMs += 300; return "s"; }, toString: function () { return "slow"; } }',
  );
  raise("error", "{ error: slow }");
  for (let n = 0; n < 9; n += 1) raise("error", '{ error: new Error("boom") }');
  run("nowMs += 999");
  raise("error", '{ error: new Error("boom") }');
  assert.equal(sent.length, 10);
  run("nowMs += 1");
  raise("error", '{ error: new Error("boom") }');
  assert.equal(sent.length, 11);
});

test("an error for which no request has a place is counted too", () => {
  const { raise, run, sent, bodies } = load();
  run('for (var i = 0; i < 64; i++) KitSDK.Recording.triggerEvent("n_" + i)');
  raise("error", '{ error: new Error("a") }');
  raise("error", '{ error: new Error("b") }');
  assert.equal(sent.length, 64);
  sent[0]?.onloadend?.();
  raise("error", '{ error: new Error("c") }');
  assert.match(bodies()[64]?.stackTrace ?? "", /before this one: 2$/);
});

test("a clock that is set back blocks no report", () => {
  const { raise, run, sent } = load();
  for (let n = 0; n < 10; n += 1) raise("error", '{ error: new Error("a") }');
  run("nowMs -= 3600000");
  raise("error", '{ error: new Error("b") }');
  assert.equal(sent.length, 11);
});

test("an error that causes an error while it is read is reported once, and nothing escapes", () => {
  const { raise, run, said } = load();
  run(`function hostile(name) {
    var error = { toString: function () { return "hostile"; } };
    Object.defineProperty(error, name, { get: function () {
      SceneManager.catchException(new Error("inner"));
      throw new Error("outer");
    } });
    return error;
  }`);
  raise("error", '{ message: "m", error: hostile("stack") }');
  raise("unhandledrejection", '{ reason: hostile("toString") }');
  raise("error", "null");
  raise("error", '{ error: new Proxy({}, { get: function () { throw 1; } }), message: "proxy" }');
  assert.deepEqual(said(), ["hostile", "A promise was rejected without a reason", "proxy"]);
});

test("a request that fails causes no report", async () => {
  const { raise, run, timers } = load(on, { before: fetchThatRecords + abortController, hasTimers: true });
  raise("error", '{ error: new Error("a") }');
  for (const timer of timers.splice(0)) timer.run();
  run('fetched[0].fail(new TypeError("Failed to fetch"))');
  await new Promise((done) => setImmediate(done));
  for (const timer of timers.filter(({ isCleared }) => !isCleared)) timer.run();
  assert.equal(run("fetched.length"), 1);
});

test("in a world without listeners, scene manager or WeakSet the file still loads", () => {
  for (const before of [
    "window.addEventListener = undefined",
    "SceneManager = undefined",
    "SceneManager = {}",
    "Object.freeze(SceneManager)",
    "WeakSet = undefined",
    "WeakSet = function () { throw 1; }",
  ]) {
    const { run, raise, said } = load(on, { before });
    if (!before.startsWith("window")) {
      raise("error", '{ error: new Error("a") }');
      assert.deepEqual(said(), ["Error: a"], before);
    }
    assert.equal(run("typeof KitSDK.Monitor.reportError"), "function", before);
  }
});
