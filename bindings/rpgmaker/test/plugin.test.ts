// Tests of the plugin's arguments, settings and limits, without an engine.
import assert from "node:assert/strict";
import { parse } from "acorn";
import { test } from "vitest";
import { FakeRequest, loadPlugin, source } from "./plugin-in-vm.ts";

const threeCalls =
  'KitSDK.Recording.triggerEvent("a_b"); KitSDK.Monitor.reportError("m"); KitSDK.Social.triggerEvent("a_c")';

test("the file is ES5, so that the oldest MV players can read it", () => {
  assert.doesNotThrow(() => parse(source, { ecmaVersion: 5, sourceType: "script" }));
});

test("the header's default address is the code's default in both languages", () => {
  const defaults = [...source.matchAll(/@param Launcher URL[\s\S]*?@default (\S+)/g)].map((match) => match[1]);
  assert.deepEqual(defaults, ["http://127.0.0.1:9876", "http://127.0.0.1:9876"]);
  assert.equal(loadPlugin().run("KitSDK.Config.launcherUrl"), "http://127.0.0.1:9876");
});

test("each operation is one asynchronous POST with the exact header and a timeout of 5 seconds", () => {
  const { sent, run } = loadPlugin();
  assert.equal(run(`${threeCalls}`), undefined);
  const base = "http://127.0.0.1:9876/api";
  assert.deepEqual(
    sent.map(({ url }) => url),
    [`${base}/recording/trigger`, `${base}/monitor/report`, `${base}/social/trigger`],
  );
  for (const { method, isAsync, headers, timeout } of sent) {
    assert.deepEqual(
      [method, isAsync, headers, timeout],
      ["POST", true, [["Content-Type", "application/json"]], 5_000],
    );
  }
  const bodies = sent.map(({ body }) => JSON.parse(body));
  assert.deepEqual(Object.keys(bodies[1]), ["message", "stackTrace", "timestamp"]);
  assert.deepEqual(
    [bodies[0].eventId, bodies[1].message, bodies[1].stackTrace, bodies[2].eventId],
    ["a_b", "m", "", "a_c"],
  );
  for (const { timestamp } of bodies) assert.ok(Math.abs(Date.now() - Date.parse(timestamp)) < 5_000, timestamp);
});

test("arguments that are not text, or empty text, send nothing and throw nothing", () => {
  const noText = [
    "",
    '""',
    "null",
    "undefined",
    'Symbol("s")',
    "function () {}",
    "{}",
    "Object.create(null)",
    "{ toString: function () { throw 1; } }",
    "{ toString: function () { return {}; } }",
    "new Proxy({}, { get: function () { throw 1; } })",
    "[]",
  ];
  const { sent, run } = loadPlugin();
  for (const argument of noText) {
    run(`KitSDK.Recording.triggerEvent(${argument})`);
    run(`KitSDK.Social.triggerEvent(${argument})`);
    run(`KitSDK.Monitor.reportError(${argument})`);
    run(`KitSDK.Monitor.reportError("kept", ${argument || "undefined"})`);
  }
  assert.deepEqual(
    sent.map(({ body }) => [JSON.parse(body).message, JSON.parse(body).stackTrace]),
    noText.map(() => ["kept", ""]),
  );
});

test("arguments with a text form are sent as that text", () => {
  const { sent, run } = loadPlugin();
  for (const argument of ["42", "true", 'new String("s")', 'new TypeError("t")']) {
    run(`KitSDK.Monitor.reportError(${argument}, ${argument})`);
  }
  assert.deepEqual(
    sent.map(({ body }) => [JSON.parse(body).message, JSON.parse(body).stackTrace]),
    [
      ["42", "42"],
      ["true", "true"],
      ["s", "s"],
      ["TypeError: t", "TypeError: t"],
    ],
  );
});

test("every string becomes valid JSON in UTF-8, also on engines whose own encoder leaves half surrogate pairs", () => {
  const oldStringify = `JSON.stringify = (function (original) { return function (text) {
    return original(text).replace(/\\\\u(d[89a-f]..)/g, function (_, code) { return String.fromCharCode(parseInt(code, 16)); });
  }; })(JSON.stringify);`;
  const every = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const texts = [
    `${every.slice(0, 0x3000).join("")}`,
    "\ud83d\ude00 \ud800 \udc00\ud800 end\udbff",
    every.slice(0xd800).join(""),
  ];
  for (const before of ["", oldStringify]) {
    const { sent, run } = loadPlugin({ before });
    for (const text of texts) run(`KitSDK.Monitor.reportError(${JSON.stringify(text)})`);
    const received = sent.map(({ body }) => JSON.parse(Buffer.from(body, "utf8").toString("utf8")).message);
    assert.deepEqual(received, texts);
  }
});

test("the address is trimmed, and with an unusable one no call does anything", () => {
  const addresses: [string | undefined, string | undefined][] = [
    [undefined, "http://127.0.0.1:9876"],
    [" http://localhost:1234/ \n", "http://localhost:1234"],
    ["http://127.0.0.1:9876/ / \t\u3000", "http://127.0.0.1:9876"],
    ["HTTP://127.0.0.1:9876///", "HTTP://127.0.0.1:9876"],
    ["https://kit.local/base/", "https://kit.local/base"],
    ["http://[::1]:9876", "http://[::1]:9876"],
    ["", undefined],
    ["127.0.0.1:9876", undefined],
    ["/api", undefined],
    ["ftp://127.0.0.1", undefined],
    ["http://", undefined],
    ["http:// 127.0.0.1", undefined],
    ["http://127.0.0.1:9876?x=1", undefined],
    ["http://me:secret@127.0.0.1:9876", undefined],
    ["http://127.0.0.1:9876/@games", "http://127.0.0.1:9876/@games"],
    ["javascript:alert(1)", undefined],
  ];
  for (const [given, used] of addresses) {
    const { sent, run } = loadPlugin({ parameters: given === undefined ? {} : { "Launcher URL": given } });
    run('KitSDK.Recording.triggerEvent("a_b")');
    assert.equal(sent[0]?.url, used && `${used}/api/recording/trigger`, `given ${given}`);
  }
});

test("a switch that is off silences its own operation only", () => {
  const switches = { "Enable Recording": 0, "Enable Monitor": 1, "Enable Social": 2 };
  for (const [name, index] of Object.entries(switches)) {
    const { sent, run } = loadPlugin({ parameters: { [name]: "false" } });
    run(threeCalls);
    const paths = ["/api/recording/trigger", "/api/monitor/report", "/api/social/trigger"];
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).pathname),
      paths.toSpliced(index, 1),
    );
  }
});

test("a switch without a value is on", () => {
  const { run } = loadPlugin({ parameters: { "Enable Recording": "", "Enable Monitor": "true" } });
  assert.equal(run("KitSDK.Config.enableRecording && KitSDK.Config.enableMonitor && KitSDK.Config.enableSocial"), true);
});

test("a report names the build in the parameters, without blanks around it and at most 100 characters", () => {
  const bodyWith = (parameters: Record<string, string>) => {
    const { sent, run } = loadPlugin({ parameters });
    run('KitSDK.Monitor.reportError("m", "s"); KitSDK.Recording.triggerEvent("a_b")');
    assert.deepEqual(Object.keys(JSON.parse(sent[1]?.body ?? "")), ["eventId", "timestamp"]);
    const { timestamp: _, ...members } = JSON.parse(sent[0]?.body ?? "") as Record<string, string>;
    assert.equal(run("KitSDK.Config.build"), members.build ?? "");
    return members;
  };
  assert.deepEqual(bodyWith({ Build: ' 1.4.2 "beta" ' }), { message: "m", stackTrace: "s", build: '1.4.2 "beta"' });
  assert.equal(bodyWith({ Build: "1".repeat(101) }).build, "1".repeat(100));
  const none = [{ Build: "" }, { Build: " \u3000 " }, { "Launcher URL": "http://127.0.0.1:9876" }];
  for (const parameters of none) assert.deepEqual(bodyWith(parameters), { message: "m", stackTrace: "s" });
});

test("parameters are found whatever name the plugin is listed under", () => {
  const listings: [string, string | undefined][] = [
    ["KitSDK", "file:///game/js/plugins/KitSDK.js"],
    ["tools/KitSDK", "chrome-extension://x/js/plugins/tools/KitSDK.js"],
    ["KitSDK", "http://host/js/plugins/tools/KitSDK.js?v=2#x"],
    ["キット SDK", "file:///js/plugins/a/js/plugins/%E3%82%AD%E3%83%83%E3%83%88%20SDK.js"],
    ["100%", "file:///game/js/plugins/100%.js"],
    ["KitSDK", undefined],
  ];
  for (const [key, scriptUrl] of listings) {
    const { run } = loadPlugin({ key, scriptUrl, parameters: { "Launcher URL": "http://found" } });
    assert.equal(run("KitSDK.Config.launcherUrl"), "http://found", key);
  }
});

test("Config is read-only", () => {
  const { run } = loadPlugin();
  run('KitSDK.Config.launcherUrl = "x"; KitSDK.Config = {}; delete KitSDK.Config.enableSocial');
  assert.deepEqual(JSON.parse(run("JSON.stringify(KitSDK.Config)") as string), {
    launcherUrl: "http://127.0.0.1:9876",
    enableRecording: true,
    enableMonitor: true,
    enableSocial: true,
    build: "",
    reportUncaughtErrors: false,
  });
});

test("at most 64 requests wait, newer ones are dropped, and every settled one frees a place", () => {
  const { sent, run } = loadPlugin();
  run('for (var i = 0; i < 100; i++) KitSDK.Recording.triggerEvent("n_" + i)');
  assert.deepEqual([sent.length, JSON.parse(sent[63]?.body ?? "").eventId], [64, "n_63"]);
  // Browsers report the end of a request by several events. It counts only once.
  for (const settled of sent.slice(0, 3)) for (let times = 0; times < 3; times += 1) settled.onloadend?.();
  run('for (var i = 0; i < 10; i++) KitSDK.Social.triggerEvent("m_" + i)');
  assert.equal(sent.length, 67);
});

const stoppedClock = "var atMs = 1e12; Date.now = function () { return atMs; };";
const burst = 'for (var i = 0; i < 100; i++) KitSDK.Recording.triggerEvent("n_" + i)';

test("a call sends after the game's own work, and a burst is sent four at a time", () => {
  const { sent, run, timers } = loadPlugin({ hasTimers: true, before: stoppedClock });
  run(burst);
  assert.equal(sent.length, 0, "in the call itself");
  for (let turn = 1; turn <= 16; turn += 1) {
    assert.deepEqual(
      timers.map(({ ms }) => ms),
      [turn === 1 ? 0 : 8],
      "one timer at a time",
    );
    run(`atMs += ${timers[0]?.ms}`);
    timers.shift()?.run();
    assert.equal(sent.length, turn * 4);
  }
  assert.deepEqual([sent.length, timers.length], [64, 0]);
  assert.deepEqual(
    sent.map(({ body }) => JSON.parse(body).eventId),
    sent.map((_, at) => `n_${at}`),
  );
});

test("a late turn, as in a hidden window, makes up for the missed ones", () => {
  const { sent, run, timers } = loadPlugin({ hasTimers: true, before: stoppedClock });
  run(burst);
  run("atMs += 1008");
  timers.shift()?.run();
  assert.deepEqual([sent.length, timers.length], [64, 0]);
});

test("waiting requests are sent when the window closes", () => {
  const { sent, run, quit } = loadPlugin({ hasTimers: true, before: stoppedClock });
  run(burst);
  quit();
  assert.equal(sent.length, 64);
});

test("a request is aborted when the head of its answer arrives, so that an endless answer is never read", () => {
  const { sent, run } = loadPlugin();
  run('for (var i = 0; i < 64; i++) KitSDK.Recording.triggerEvent("n_" + i)');
  for (const request of sent) request.beAnswered();
  assert.ok(sent.every(({ wasAborted }) => wasAborted));
  run('for (var i = 0; i < 100; i++) KitSDK.Social.triggerEvent("m_" + i)');
  assert.equal(sent.length, 128, "each frees a place");
});

test("requests that cannot be opened or sent do not use up the 64 places", () => {
  const { sent, run } = loadPlugin();
  for (const broken of ["open", "send"] as const) {
    FakeRequest.broken = broken;
    run('for (var i = 0; i < 100; i++) KitSDK.Recording.triggerEvent("n_" + i)');
  }
  FakeRequest.broken = undefined;
  run('KitSDK.Recording.triggerEvent("a_b")');
  assert.equal(sent.length, 1);
});

test("in a broken world the file still loads and calls still return", () => {
  const worlds = [
    "PluginManager = undefined",
    "PluginManager.parameters = function () { throw 1; }",
    "PluginManager.parameters = function () { return null; }",
    "document = undefined",
    "XMLHttpRequest = undefined",
    "window.addEventListener = undefined",
    "Date = undefined",
    'Date.prototype.toISOString = function () { return "yesterday"; }',
    "Date.now = function () { throw 1; }",
    "JSON.stringify = function () { throw 1; }",
  ];
  for (const before of worlds) {
    const { run, quit } = loadPlugin({ before });
    assert.equal(run(threeCalls), undefined, before);
    quit();
  }
});

test("a closing window waits for an event of the last moment, and for nothing else", () => {
  const clock = "var now = 0, asked = 0; Date.now = function () { asked += 1; return (now += 10); };";
  const { run, quit, sent } = loadPlugin({ before: clock });
  const timesAsked = () => {
    run("asked = 0");
    quit();
    return run("asked") as number;
  };
  assert.equal(timesAsked(), 0, "nothing pending: no wait");
  run('KitSDK.Recording.triggerEvent("a_b")');
  assert.equal(timesAsked(), 25, "waits until the event is 250 ms old");
  assert.equal(timesAsked(), 1, "an older one was sent long ago: no wait");
  sent[0]?.onloadend?.();
  assert.equal(timesAsked(), 0);
});

test("a closing window waits as long on a fast machine that reads the clock very often", () => {
  // 250 ms are more turns than a stopped clock is given for one.
  // The count is no global variable, which a context reads slowly.
  const clock = "(function (asked) { Date.now = function () { return Math.floor((asked += 1) / 5000); }; })(0);";
  const { run, quit } = loadPlugin({ before: clock });
  run('KitSDK.Recording.triggerEvent("a_b")');
  quit();
  assert.equal(run("Date.now()"), 250);
});

test("no event is lost without Date.now", () => {
  const { run, sent } = loadPlugin({ before: "Date.now = function () { throw 1; }" });
  for (let round = 0; round < 30; round += 1) {
    run(threeCalls);
    for (const request of sent) request.onloadend?.();
  }
  assert.equal(sent.length, 90);
});

test("a stopped clock does not keep a closing window open", () => {
  const { run, quit } = loadPlugin({ before: "Date.now = function () { return 1; }" });
  run('KitSDK.Recording.triggerEvent("a_b")');
  quit();
});
