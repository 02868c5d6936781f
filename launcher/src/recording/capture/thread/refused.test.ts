// Tests that a recorder which says that it cannot record what is wanted records nothing else meanwhile.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recorderDefaults } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { afterAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { FfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, syntheticChoice, syntheticDeps, until } from "./test/fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "kit-refused-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a source that was chosen and cannot be recorded ends the capture of the one before", {
  skip: skipWithout("ffmpeg"),
}, async (t) => {
  let monitor: string | null = null;
  let isRefused = false;
  const deps = syntheticDeps(pathOf("ffmpeg"), folder);
  const backend = new FfmpegBackend({
    ...deps,
    settings: () => ({ ...recorderDefaults, monitor }),
    probe: {
      async choose() {
        return isRefused ? { refused: message("source.no_monitor", { name: "HDMI-7" }), tried: [] } : syntheticChoice();
      },
    },
  });
  t.onTestFinished(() => backend.stop());
  await backend.start();
  await until("it records", () => isRecording(backend)() && existsSync(deps.captureFile));
  isRefused = true;
  await backend.start();
  assert.equal(backend.state().state, "recording", "what is recorded is still what is wanted");
  monitor = "HDMI-7";
  await backend.start();
  assert.equal(backend.state().state, "broken");
  await until("its ffmpeg has ended", () => !existsSync(deps.captureFile));
});
