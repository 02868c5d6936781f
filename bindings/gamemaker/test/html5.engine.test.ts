// Tests of differences in a browser, where the official HTML5 runtime deviates from the manual in some built-ins.
import assert from "node:assert/strict";
import fc from "fast-check";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { struct } from "./game.ts";
import { record, sdkGame } from "./recorded.ts";
import { html5 } from "./runtime/html5.ts";
import { texts, values } from "./runtime/texts.ts";
import { GmlError } from "./runtime/values.ts";

const skip = skipWithout("GML parser");
const { http_request: refused, ...answers } = html5;
const inBrowser = async () => record(await sdkGame(), { functions: answers });

test("the stand-in for HTML5 returns what its runtime returns where that differs from the manual", () => {
  const native = { ...texts, ...values };
  const table: [string, unknown[], unknown, unknown][] = [
    ["string", [7], "7", "7"],
    ["string", [0.25], "0.25", "0.25"],
    ["string", [12_345_678_901], "12345678901", "12345678901.00"],
    ["string", [-Infinity], "-inf", "-inf"],
    ["string", [Number.NaN], "NaN", "NaN"],
    ["string", [[1, "a", ["b"]]], '[ 1,"a",[ "b" ] ]', '[ 1,"a",[ "b" ] ]'],
    ["bool", [0.4], false, false],
    ["bool", ["true"], GmlError, true],
    ["bool", ["7 lives"], GmlError, true],
    ["bool", ["x"], GmlError, GmlError],
    ["bool", [undefined], GmlError, false],
    ["string_copy", ["a😀bc", 1, 3], "a😀b", "a😀bc"],
    ["string_copy", ["a😀bc", 4, 1], "c", ""],
    ["typeof", [new Error("of the page")], "object", "struct"],
    ["is_struct", [new Error("of the page")], false, false],
  ];
  for (const [name, given, ...expected] of table) {
    [native, { ...native, ...html5 }].forEach((functions, index) => {
      const run = () => (functions as Record<string, (...given: unknown[]) => unknown>)[name]?.(...given);
      if (expected[index] === GmlError) assert.throws(run, GmlError, `${name} ${given}`);
      else assert.equal(run(), expected[index], `${name} ${given}`);
    });
  }
});

test("settings, texts and addresses are the same in HTML5 as in a native game", { skip }, async () => {
  const kit = await inBrowser();
  kit.call("kit_init", struct({ launcher_url: " HTTP://h/😀a//\n", enable_social: "false" }));
  kit.call("kit_social_trigger", "a_b");
  assert.equal(kit.sent[0]?.url, "http://h/😀a/api/social/trigger");
  for (const given of [true, 7, ["one", 2], struct({ message: "caught" }), struct({ toString: () => "own" })]) {
    kit.call("kit_monitor_report", given);
  }
  assert.deepEqual(
    kit.payloads().flatMap(({ message }) => message ?? []),
    ["true", "7", "one\n2", "caught", "own"],
  );
});

test("a whole number beyond 32 bits has two decimals in HTML5", { skip }, async () => {
  const kit = await inBrowser();
  kit.call("kit_monitor_report", 12_345_678_901);
  assert.equal(kit.payloads()[0]?.message, "12345678901.00");
});

test("an object of the page sends nothing and throws nothing", { skip }, async () => {
  const kit = await inBrowser();
  for (const given of [new Error("of the page"), {}, new Date(0)]) {
    kit.call("kit_init", given);
    kit.call("kit_monitor_report", given, given);
    kit.call("kit_recording_trigger", given);
  }
  assert.deepEqual(kit.sent, []);
});

test("a request that the engine refuses does not affect the game", { skip }, async () => {
  const kit = record(await sdkGame(), { functions: { ...answers, http_request: refused ?? (() => -1) } });
  assert.equal(kit.call("kit_recording_trigger", "a_b"), undefined);
  assert.equal(kit.game.maps.size, 0);
});

test("every text is sent unchanged, and half a surrogate pair, which only HTML5 can hold, is sent as U+FFFD", {
  skip,
}, async () => {
  const start = await sdkGame();
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 100 }), (message) => {
      const kit = record(start, { functions: answers });
      kit.call("kit_monitor_report", message);
      assert.equal(kit.payloads()[0]?.message, message);
    }),
    { numRuns: 200 },
  );
  const kit = record(start, { functions: answers });
  kit.call("kit_monitor_report", "half_\ud800_");
  const onTheWire = Buffer.from(kit.sent[0]?.body ?? "").toString();
  assert.equal((JSON.parse(onTheWire) as { message: string }).message, "half_\ufffd_");
});
