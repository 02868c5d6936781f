// Tests of the start of a capture: what is prepared while a game opens its window, and with which priority ffmpeg starts.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { message } from "@kit/contract/messages";
import { afterAll, test } from "vitest";
import { cannot } from "../../../../../tools/engines/cannot.ts";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import type { CaptureTarget } from "../target.ts";
import { FfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, syntheticChoice, syntheticDeps, until } from "./test/fixture.ts";

const skip = cannot.readProc || skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-urgent-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Empty if the thread has ended. */
function priorityOf(thread: string): number[] {
  try {
    return [getPriority(Number(thread))];
  } catch {
    return [];
  }
}

test("ffmpeg starts with the priority of the launcher, and has a lower one in each thread once it delivers", {
  skip,
}, async () => {
  const program = join(folder, "ffmpeg");
  const notes = join(folder, "started");
  writeFileSync(program, `#!/bin/sh\necho "$$ $(nice)" >> '${notes}'\nexec '${pathOf("ffmpeg")}' "$@"\n`);
  chmodSync(program, 0o755);
  const backend = new FfmpegBackend(syntheticDeps(program, folder));
  try {
    await backend.start();
    await until("it records", isRecording(backend));
    const [pid = "", niceness] = readFileSync(notes, "utf8").trim().split(" ");
    assert.equal(Number(niceness), getPriority());
    await until("the encoder and the inputs have threads of their own, all with a lower priority", () => {
      const priorities = readdirSync(`/proc/${pid}/task`).flatMap(priorityOf);
      return priorities.length > 1 && priorities.every((priority) => priority === 10);
    });
  } finally {
    await backend.stop();
  }
});

test("while a game opens its window, the command is chosen, and the window is captured with it at once", {
  skip,
}, async () => {
  const window = { id: 7, title: "Castle", width: 320, height: 240, isShown: true };
  let target: CaptureTarget = { kind: "nothing", why: message("window.searching") };
  const chosenFor: (number | undefined)[] = [];
  const deps = syntheticDeps(pathOf("ffmpeg"), folder);
  const backend = new FfmpegBackend({
    ...deps,
    target: () => target,
    probe: {
      async choose({ followed }) {
        chosenFor.push(followed?.id);
        return syntheticChoice();
      },
    },
  });
  try {
    await backend.start();
    await until("a command is chosen for the screen", () => chosenFor.length === 1);
    target = { kind: "window", window, subject: "game saga 1" };
    await backend.start();
    await until("it records", isRecording(backend));
    assert.deepEqual(chosenFor, [undefined, 7]);
  } finally {
    await backend.stop();
  }
});
