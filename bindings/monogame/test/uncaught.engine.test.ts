// Tests of a process that ends by an exception nobody caught: the report arrives, and the process ends as without it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { built } from "../conformance/build.ts";
import { openRecorder } from "./recorder.ts";

const options = { skip: skipWithout(".NET"), timeout: 300_000 };

async function crash(where: "game" | "thread", report: "on" | "off") {
  const launcher = await openRecorder();
  const child = spawn(pathOf(".NET"), ["exec", await built("Crash"), launcher.url, where, report], {
    stdio: ["pipe", "pipe", "pipe"],
    // A core file of a game that is meant to crash would be useless.
    env: { ...process.env, DOTNET_DbgEnableMiniDump: "0" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (output += part));
  const ended = new Promise<unknown>((resolve) => child.once("close", (code, signal) => resolve(code ?? signal)));
  await Promise.race([launcher.has(1), ended]);
  child.stdin.end("\n");
  const status = await ended;
  if (report === "on") await launcher.has(2);
  launcher.close();
  return { status, output, reports: launcher.recorded.slice(1) };
}

for (const where of ["game", "thread"] as const) {
  test(
    `an exception that ends the game on the ${where}'s thread is reported once, and ends it as without Kit`,
    options,
    async () => {
      const [on, off] = [await crash(where, "on"), await crash(where, "off")];
      assert.equal(on.status, off.status);
      assert.equal(on.output, off.output);
      assert.match(on.output, /^the game's own handler\n/);
      assert.deepEqual(off.reports, []);
      assert.equal(on.reports.length, 1);
      const { message, stackTrace = "" } = on.reports[0]?.body ?? {};
      assert.equal(message, "System.InvalidOperationException: The sky has no stars");
      assert.match(stackTrace, /^System\.InvalidOperationException: The sky has no stars\n {3}at Level\.Load\(\)/);
    },
  );
}
