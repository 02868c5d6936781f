// Tests of the C# core, which are written in C# themselves.
import assert from "node:assert/strict";
import { test } from "vitest";
import { runDotnet } from "../../../tools/engines/dotnet.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { built } from "../conformance/build.ts";

test("the C# core passes its own tests", { skip: skipWithout(".NET"), timeout: 300_000 }, async () => {
  const output = await runDotnet(["test", await built("Kit.Tests"), "--logger", "console;verbosity=normal"]);
  const passed = Number(/Passed: (\d+)/.exec(output)?.[1]);
  assert.ok(passed >= 58, `only ${passed} tests ran:\n${output}`);
  assert.doesNotMatch(output, /Skipped: /);
});
