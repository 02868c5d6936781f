// Tests what becomes of a capture whose window or screen got another size, with a real ffmpeg and a made-up picture in place of Windows.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, type TestContext, test } from "vitest";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import type { Size, VideoInput } from "../probe/commands.ts";
import { FfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, syntheticChoice, syntheticDeps, until } from "./test/fixture.ts";

const skip = skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-resize-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const small: Size = { width: 320, height: 240 };
const large: Size = { width: 640, height: 480 };

/** Records an input whose command is the same at each size. */
async function recordInput(t: TestContext, input: VideoInput) {
  let listedSize = small;
  const backend = new FfmpegBackend({
    ...syntheticDeps(pathOf("ffmpeg"), folder),
    probe: {
      async choose() {
        const choice = syntheticChoice();
        return { ...choice, ...listedSize, spec: { ...choice.spec, input, inputSize: null, listedSize } };
      },
    },
  });
  t.onTestFinished(() => {
    backend.release("clip");
    return backend.stop();
  });
  await backend.start();
  await until("it records", isRecording(backend));
  const isRecordedAt = ({ width }: Size) => isRecording(backend)() && backend.state().width === width;
  const resize = (size: Size) => {
    listedSize = size;
    return backend.start();
  };
  return { backend, isRecordedAt, resize };
}

test("GDI, which keeps the old area, starts again at once, also while a clip needs footage", { skip }, async (t) => {
  const { backend, isRecordedAt, resize } = await recordInput(t, { kind: "gdigrab", window: 42 });
  backend.hold("clip", Date.now());
  await resize(large);
  await until("the new size is recorded", () => isRecordedAt(large));
  assert.equal(backend.state().restarts, 0, "no fault is counted");
});

test("gfxcapture, which scales, starts again only when no clip needs footage", { skip }, async (t) => {
  const { backend, isRecordedAt, resize } = await recordInput(t, { kind: "gfxcapture", window: 42 });
  backend.hold("clip", Date.now());
  await resize(large);
  const { heldSeconds } = backend.state();
  // Another run would have delivered by then.
  await until("three more seconds are held", () => backend.state().heldSeconds > heldSeconds + 3);
  assert.ok(isRecordedAt(small));
  backend.release("clip");
  await until("the new size is recorded", () => isRecordedAt(large));
  await resize(small);
  await until("the old size is recorded", () => isRecordedAt(small));
});
