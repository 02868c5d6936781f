// Tests that the demo's lines do what its README says, and that its plugin list is as the plugin manager writes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { test } from "vitest";
import { loadPlugin, source } from "./plugin-in-vm.ts";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../demo", name), "utf8");

test("the demo's lines send their events, and the event that fails is reported with its stack", () => {
  const { run, sent } = loadPlugin();
  run("var $gameVariables = { value: function () { return -1; } }, $gameMap = { mapId: function () { return 12; } };");
  run(read("events.js"));
  const received = sent.map(({ url, body }) => {
    const { eventId, message } = JSON.parse(body);
    return `${new URL(url).pathname} ${eventId ?? message}`;
  });
  assert.deepEqual(received, [
    "/api/recording/trigger mygame_boss_defeated",
    "/api/social/trigger mygame_all_stars",
    "/api/monitor/report $gameParty is not defined",
    "/api/monitor/report Gold is negative",
    "/api/recording/trigger mygame_hello",
    "/api/social/trigger mygame_hello",
    "/api/monitor/report hello",
  ]);
  assert.match(JSON.parse(sent[2]?.body ?? "").stackTrace, /ReferenceError/);
});

test("the README's lines send their events", () => {
  const { run, sent } = loadPlugin();
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(read("../README.md")) ?? [];
  run(`var error = new Error("lost"); ${code}`);
  assert.equal(sent.length, 3);
  assert.match(JSON.parse(sent[1]?.body ?? "").stackTrace, /^Error: lost\n/);
});

test("the header has the same parameters, types and defaults in both languages", () => {
  const blocks = source.split("/*:").slice(1, 3);
  const declared = blocks.map((block) =>
    block.slice(0, block.indexOf("*/")).match(/@(target|param|type|default)( .+)?$/gm),
  );
  assert.equal(declared[0]?.length, 19);
  assert.deepEqual(declared[1], declared[0]);
  const texts = blocks.map((block) => block.match(/@(plugindesc|author|text|desc|on|off|help) ./g)?.length);
  assert.deepEqual(texts, [23, 23], "everything is translated");
});

test("the demo's plugin list has every parameter of the header with its default", () => {
  const english = source.slice(source.indexOf("/*:"), source.indexOf("*/"));
  const declared = [...english.matchAll(/@param (.+)\n[\s\S]*?@default ?(.*)/g)].map((match) => [match[1], match[2]]);
  const context: { $plugins?: { name: string; parameters: Record<string, string> }[] } = {};
  runInNewContext(read("plugins.js"), context);
  assert.equal(context.$plugins?.[0]?.name, "KitSDK");
  assert.deepEqual(Object.entries(context.$plugins?.[0]?.parameters ?? {}), declared);
});
