// Tests that every GML line of the README runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { loadGame } from "./game.ts";
import { record } from "./recorded.ts";
import { GmlStruct } from "./runtime/values.ts";

test("the README's lines run and send their events", { skip: skipWithout("GML parser") }, async () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```gml\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
  assert.equal(blocks.length, 3);
  const start = await loadGame(Object.fromEntries(blocks.map((code, index) => [String(index), code])));
  const { game, sent, payloads } = record(start, { functions: { show_debug_message: () => undefined } });
  for (const index of blocks.keys()) game.events[index]?.();
  assert.deepEqual(
    sent.map(({ url }) => url.replace("http://127.0.0.1:9876/api/", "")),
    ["recording/trigger", "monitor/report", "social/trigger", "monitor/report"],
  );
  assert.equal(payloads()[1]?.stackTrace, "load_game, line 12");
  assert.equal(payloads()[3]?.message, "index 3 is out of the 0 of the array");
  const config = game.global.members.get("__kit_config");
  assert.ok(config instanceof GmlStruct);
  assert.equal(config.members.get("enable_social"), false);
});
