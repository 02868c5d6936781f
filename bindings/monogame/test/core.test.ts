// Runs the tests of the C# core that are written in C#.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runDotnet } from "../../../tools/engines/dotnet.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { built } from "../conformance/build.ts";

test("the C# core keeps what its own tests say of it", { skip: skipWithout(".NET"), timeout: 300_000 }, async () => {
  const output = await runDotnet(["test", await built("Kit.Tests"), "--logger", "console;verbosity=normal"]);
  const passed = Number(/Passed: (\d+)/.exec(output)?.[1]);
  assert.ok(passed >= 49, `only ${passed} tests ran:\n${output}`);
  assert.doesNotMatch(output, /Skipped: /);
});
