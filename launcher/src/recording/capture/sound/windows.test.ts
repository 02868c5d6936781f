// Tests of following the sound of Windows, with a stand-in for kit-sound.exe, and of the commands that record a stream there.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOf } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../../../tools/engines/cannot.ts";
import type { SoundServerState } from "./pulse.ts";
import { recordStreamCommand } from "./tracks.ts";
import { createWindowsSoundFollower } from "./windows.ts";

/** Follows a program that runs this script. Resolves when it is lost. */
async function followed(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), "kit-sound-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "kit-sound");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const states: SoundServerState[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const onState = (state: SoundServerState) => states.push(state);
  createWindowsSoundFollower(program)({ onState, onLost: (why) => resolve(textOf(why)) });
  return { states, lost: await promise };
}

test("each change of the devices is read, and the end of the program is reported with its exit code", {
  skip: cannot.startScripts,
}, async (t) => {
  const lines = [
    "output=1 microphone=0 process=0x00000000",
    "something else",
    "output=0 microphone=1 process=0x80070002",
  ];
  const { states, lost } = await followed(
    t,
    `[ "$1" = devices ] && printf '%s\\r\\n' ${lines.map((line) => `'${line}'`).join(" ")}; exit 3`,
  );
  const [first, second] = states;
  assert.equal(states.length, 2);
  assert.deepEqual(first, { streams: [], monitor: "output", microphone: null, ofProcesses: true });
  assert.deepEqual([second?.monitor, second?.microphone], [null, "microphone"]);
  const why = second?.ofProcesses;
  assert.match(typeof why === "object" ? textOf(why) : "", /does not record a single one \(0x80070002\)/);
  assert.equal(lost, "kit-sound.exe ended with 3");
});

test("on Windows, a process, the default output and the microphone are recorded by kit-sound.exe", () => {
  const command = (stream: Parameters<typeof recordStreamCommand>[0]) => recordStreamCommand(stream, "win32");
  assert.match(command("stream:42").program, /kit-sound\.exe$/);
  assert.deepEqual(command("stream:42").args, ["process", "42"]);
  assert.deepEqual(command("device:output").args, ["output"]);
  assert.deepEqual(command("device:microphone").args, ["microphone"]);
});
