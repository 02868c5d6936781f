// Tests of the package: it compiles as Unity compiles it, for each platform, and starts and ends with the engine in the stand-in.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { apiLevels, platformNames } from "./assemblies.ts";
import { built } from "./build.ts";

const skip = skipWithout(".NET");

test("the package, its sample and the lines of its README compile for each platform and API level", {
  skip,
}, async () => {
  for (const api of apiLevels) for (const platform of platformNames) await built(platform, api);
});

test("Kit starts and ends with a play, and the package's own tests pass", { skip }, async () => {
  const program = join(await built("editor", "netstandard2.1"), "RunTests.exe");
  // The tests of the settings page need a real editor.
  const child = spawn(pathOf(".NET"), ["exec", program, "Kit.Tests", "Kit.Unity.Tests"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const lines = (await text(child.stdout)).trim().split("\n");
  const failed = lines
    .filter((line) => !line.startsWith("passed"))
    .map((line) => {
      const [, name = "", message = ""] = line.split("\t");
      return `${name}\n${Buffer.from(message, "base64").toString("utf8")}`;
    });
  assert.deepEqual(failed, []);
  assert.ok(lines.length >= 15, `only ${lines.length} tests were run`);
  // A process that crashes half-way has reported fewer tests than there are.
  assert.equal(await ended, 0);
});
