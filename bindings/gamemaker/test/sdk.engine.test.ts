// Tests of kit_sdk.gml: settings, texts, limits, and errors that never reach the game.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { struct } from "./game.ts";
import { record, sdkGame } from "./recorded.ts";
import { fail, GmlStruct } from "./runtime/values.ts";

const skip = skipWithout("GML parser");
const defaults = {
  launcher_url: "http://127.0.0.1:9876",
  enable_recording: true,
  enable_monitor: true,
  enable_social: true,
  build: "",
  report_uncaught_errors: false,
};

const fresh = async (needs = {}) => record(await sdkGame(), needs);
const configIn = ({ game }: Awaited<ReturnType<typeof fresh>>) => {
  const config = game.global.members.get("__kit_config");
  assert.ok(config instanceof GmlStruct);
  return Object.fromEntries(config.members);
};

test("the first call starts Kit with its defaults and then sends", { skip }, async () => {
  const kit = await fresh();
  assert.equal(kit.game.global.members.has("__kit_config"), false);
  kit.call("kit_social_trigger", "mygame_start");
  assert.deepEqual(configIn(kit), defaults);
  assert.equal(kit.sent[0]?.url, "http://127.0.0.1:9876/api/social/trigger");
});

test("a missing setting, or one of another type, keeps its default", { skip }, async () => {
  const kit = await fresh();
  const none = [undefined, 5, "http://x", [1], struct({}), () => 1];
  const odd = [
    struct({ launcher_url: 5, enable_recording: "no", enable_monitor: [], enable_social: struct({}) }),
    struct({ launcher_url: undefined, enable_recording: undefined, Enable_Monitor: false }),
  ];
  for (const config of [...none, ...odd]) {
    kit.call("kit_init", config);
    assert.deepEqual(configIn(kit), defaults);
  }
  kit.call("kit_init");
  assert.deepEqual(configIn(kit), defaults);
});

test("kit_init may be called again, and settings that it leaves out return to their defaults", { skip }, async () => {
  const kit = await fresh();
  kit.call("kit_init", struct({ launcher_url: "http://[::1]:5", enable_recording: 0, enable_social: false }));
  kit.call("kit_recording_trigger", "a_b");
  kit.call("kit_social_trigger", "a_b");
  kit.call("kit_monitor_report", "m");
  assert.deepEqual(
    kit.sent.map(({ url }) => url),
    ["http://[::1]:5/api/monitor/report"],
  );
  kit.call("kit_init", struct({ enable_monitor: false }));
  assert.deepEqual(configIn(kit), { ...defaults, enable_monitor: false });
});

test("a report names the game's version, or the build that kit_init sets, which may be empty", { skip }, async () => {
  const kit = await fresh({ version: "1.4.2.0" });
  const bodyAfter = (config: unknown) => {
    kit.call("kit_init", config);
    kit.call("kit_monitor_report", "m", "s");
    const { timestamp: _, ...members } = JSON.parse(kit.sent.at(-1)?.body ?? "") as Record<string, string>;
    assert.equal(configIn(kit).build, members.build ?? "");
    return members;
  };
  assert.deepEqual(bodyAfter(undefined), { message: "m", stackTrace: "s", build: "1.4.2.0" });
  assert.equal(bodyAfter(struct({ build: 5 })).build, "1.4.2.0");
  assert.equal(bodyAfter(struct({ build: ' \u30001.5 "beta"\n' })).build, '1.5 "beta"');
  assert.equal(bodyAfter(struct({ build: ` ${"😀".repeat(101)}` })).build, "😀".repeat(100));
  for (const build of ["", " \t "]) assert.deepEqual(bodyAfter(struct({ build })), { message: "m", stackTrace: "s" });
  assert.equal(bodyAfter(struct({ build: " ".repeat(100_000) })).build, undefined);
  kit.call("kit_social_trigger", "a_b");
  assert.deepEqual(Object.keys(JSON.parse(kit.sent.at(-1)?.body ?? "")), ["eventId", "timestamp"]);
  kit.game.global.members.set("__kit_config", struct({ ...defaults, build: undefined }));
  kit.call("kit_monitor_report", "m");
  assert.deepEqual(Object.keys(JSON.parse(kit.sent.at(-1)?.body ?? "")), ["message", "stackTrace", "timestamp"]);
});

test("whitespace and slashes around the address are removed, and its scheme may be in any case", { skip }, async () => {
  const kit = await fresh();
  kit.call("kit_init", struct({ launcher_url: "\u00a0\t HTTP://Launcher.local:80/kit//\n\ufeff" }));
  assert.equal(configIn(kit).launcher_url, "HTTP://Launcher.local:80/kit");
  kit.call("kit_recording_trigger", "a_b");
  assert.equal(kit.sent[0]?.url, "http://Launcher.local:80/kit/api/recording/trigger");
});

test("an address is parsed once, not at every call", { skip }, async () => {
  let calls = 0;
  const string_lower = (text: string) => {
    calls += 1;
    return text.toLowerCase();
  };
  const kit = await fresh({ functions: { string_lower } });
  for (let n = 0; n < 10; n += 1) kit.call("kit_recording_trigger", "a_b");
  assert.equal(calls, 1);
  kit.call("kit_init", struct({ launcher_url: "http://127.0.0.1:5" }));
  kit.call("kit_recording_trigger", "a_b");
  assert.equal(kit.sent.at(-1)?.url, "http://127.0.0.1:5/api/recording/trigger");
});

test("an unusable address switches everything off without a message", { skip }, async () => {
  const kit = await fresh();
  const unusable = [
    "",
    " ",
    "/",
    "127.0.0.1:9876",
    "ftp://x",
    "http://",
    "http:///x",
    "http://:9876",
    "http://a b",
    "http://a\u2003b",
  ];
  for (const launcher_url of [
    ...unusable,
    "http://a?b",
    "http://a#b",
    "http://me:secret@a",
    "https://",
    `http://${"a".repeat(2048)}`,
  ]) {
    kit.call("kit_init", struct({ launcher_url }));
    kit.call("kit_recording_trigger", "a_b");
    kit.call("kit_monitor_report", "m");
  }
  assert.deepEqual(kit.sent, []);
});

test("values with a text form are sent as that text, and others are not sent", { skip }, async () => {
  const kit = await fresh();
  const method = () => "from toString";
  const texts: [unknown, string | undefined][] = [
    ["a_b", "a_b"],
    [7, "7"],
    [0.25, "0.25"],
    [true, "true"],
    [false, "false"],
    [["one", 2], "one\n2"],
    [struct({ message: "caught", script: "s" }), "caught"],
    [struct({ toString: method }), "from toString"],
    [struct({ message: 5 }), undefined],
    [struct({}), undefined],
    [method, undefined],
    [undefined, undefined],
    ["", undefined],
    [[], undefined],
  ];
  for (const [given, expected] of texts) {
    const before = kit.sent.length;
    kit.call("kit_monitor_report", given);
    assert.equal(kit.payloads().at(-1)?.message, expected ?? kit.payloads()[before - 1]?.message, String(expected));
    assert.equal(kit.sent.length - before, expected === undefined ? 0 : 1, String(expected));
  }
});

test("a stack trace may be a text or lines, and anything else is an empty text", { skip }, async () => {
  const kit = await fresh();
  for (const given of ["a\nb", ["a", "b"], undefined, struct({}), 5]) kit.call("kit_monitor_report", "m", given);
  kit.call("kit_monitor_report", "m");
  assert.deepEqual(
    kit.payloads().map(({ stackTrace }) => stackTrace),
    ["a\nb", "a\nb", "", "", "5", ""],
  );
  assert.match(kit.sent[0]?.body ?? "", /^\{"message":"m","stackTrace":"a\\u000ab","timestamp":"[^"]+"\}$/);
});

test("every text arrives unchanged, whatever characters it has", { skip }, async () => {
  const start = await sdkGame();
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
  const characters = fc.string({
    unit: fc.constantFrom("\\", '"', "\0", "\u0001", "\n", "\u001f", "\u2028", "u", "😀"),
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.oneof(text, characters), (message) => {
      const kit = record(start);
      kit.call("kit_monitor_report", message, message);
      assert.equal(kit.payloads()[0]?.message, message);
      assert.equal(kit.payloads()[0]?.stackTrace, message);
    }),
    { numRuns: 500 },
  );
});

test("at most 64 requests in 5 seconds and 256 in a minute are sent, and newer ones are dropped", {
  skip,
}, async () => {
  let timerUs = 0;
  const kit = await fresh({ clock: { wallMs: Date.now, timerUs: () => timerUs } });
  const burst = (atMs: number): number => {
    const before = kit.sent.length;
    timerUs = atMs * 1000;
    for (let n = 0; n < 100; n += 1) kit.call("kit_recording_trigger", `g_${atMs}_${n}`);
    return kit.sent.length - before;
  };
  assert.equal(burst(0), 64);
  assert.equal(kit.payloads().at(-1)?.eventId, "g_0_63");
  assert.equal(burst(4_999), 0);
  assert.deepEqual([5_000, 10_000, 15_000].map(burst), [64, 64, 64]);
  assert.deepEqual([20_000, 59_999].map(burst), [0, 0]);
  assert.equal(burst(60_000), 64);
});

test("up to four events a second are never dropped", { skip }, async () => {
  let timerUs = 0;
  const kit = await fresh({ clock: { wallMs: Date.now, timerUs: () => timerUs } });
  for (; timerUs < 300e6; timerUs += 250_000) kit.call("kit_recording_trigger", "g_e");
  assert.equal(kit.sent.length, 1200);
});

test("a timer that is set back blocks no event", { skip }, async () => {
  let timerUs = 3600e6;
  const kit = await fresh({ clock: { wallMs: Date.now, timerUs: () => timerUs } });
  for (let n = 0; n < 64; n += 1) kit.call("kit_recording_trigger", "g_e");
  timerUs = 0;
  kit.call("kit_recording_trigger", "g_after");
  assert.equal(kit.payloads().at(-1)?.eventId, "g_after");
});

test("errors of built-ins do not reach the game, leave no map, and do not change the time zone", {
  skip,
}, async () => {
  const broken = () => fail("the runner does not like this");
  for (const name of [
    "http_request",
    "ds_map_create",
    "ds_map_add",
    "date_current_datetime",
    "date_get_year",
    "get_timer",
  ]) {
    const kit = await fresh({ functions: { [name]: broken } });
    kit.game.zone.current = 0;
    kit.call("kit_init", struct({}));
    kit.call("kit_monitor_report", "m");
    kit.call("kit_recording_trigger", "a_b");
    assert.deepEqual(kit.sent, [], name);
    assert.equal(kit.game.maps.size, 0, name);
    assert.equal(kit.game.zone.current, 0, name);
  }
});

test("a call leaves no map and does not change the time zone setting", { skip }, async () => {
  for (const zone of [0, 1]) {
    const kit = await fresh();
    kit.game.zone.current = zone;
    kit.call("kit_recording_trigger", "a_b");
    assert.equal(kit.game.maps.size, 0);
    assert.equal(kit.game.zone.current, zone);
    assert.deepEqual(kit.sent[0]?.headers, { "Content-Type": "application/json" });
    assert.equal(kit.sent[0]?.method, "POST");
  }
});

test("a game that damages global.__kit_config only loses its own events", { skip }, async () => {
  const kit = await fresh();
  for (const broken of [struct({}), struct({ enable_recording: "x" }), struct({ ...defaults, launcher_url: 5 })]) {
    kit.game.global.members.set("__kit_config", broken);
    kit.call("kit_recording_trigger", "a_b");
    assert.deepEqual(kit.sent, []);
  }
  kit.game.global.members.set("__kit_config", 5);
  kit.call("kit_recording_trigger", "a_b");
  assert.equal(kit.sent.length, 1, "what is no struct is taken as not there yet");
});
