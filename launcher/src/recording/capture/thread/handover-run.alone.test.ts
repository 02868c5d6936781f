// Tests of a handover between two real runs of ffmpeg: a clip across both has no gap.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import { planOf } from "../../plans/test/plan-of.ts";
import { type CaptureChoice, stillProbingNotice } from "../probe/choice.ts";
import { FfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, shortTimeouts, syntheticChoice, syntheticDeps, until } from "./test/fixture.ts";

const skip = skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-handover-"));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, "clip.mp4");
const pidIn = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { pid: number }[]).at(-1)?.pid;

test("changed settings leave no gap in a clip that is being recorded", { skip }, async (t) => {
  let source = "testsrc2";
  const needs = syntheticDeps(pathOf("ffmpeg"), folder);
  // Another command, whose footage has the same format.
  const choose = async (): Promise<CaptureChoice> => ({ ...syntheticChoice({ source }), source });
  const settings = () => ({ ...needs.settings(), obsUrl: source });
  const backend = new FfmpegBackend({ ...needs, settings, probe: { choose } });
  t.onTestFinished(() => backend.stop());
  await backend.start();
  await until("it records", isRecording(backend));
  const first = pidIn(needs.captureFile);
  const fromMs = Date.now();
  backend.hold("clip", fromMs);
  await until("a second is held", () => Date.now() - fromMs > 1_200);
  source = "testsrc";
  await backend.start();
  assert.equal(backend.state().source, "testsrc2", "the state names the current source, not the next one");
  await until("the other one captures", () => backend.state().source === "testsrc");
  const footage = await backend.cut(planOf(fromMs, Date.now() + 1_000), file);
  assert.deepEqual(footage.gaps, []);
  assert.ok(footage.fromMs - fromMs < 150 && footage.toMs - fromMs > 2_000, JSON.stringify(footage));
  assert.deepEqual([backend.state().lostSeconds, backend.state().restarts], [0, 0]);
  await until("the second one is noted", () => existsSync(needs.captureFile) && pidIn(needs.captureFile) !== first);
  backend.release("clip");
  await backend.stop();
  assert.equal(existsSync(needs.captureFile), false);
});

test("a guess captures during the probe, and the result takes over when the clip is done", {
  skip,
}, async (t) => {
  const own = mkdtempSync(join(folder, "guess-"));
  const found = Promise.withResolvers<void>();
  const needs = syntheticDeps(pathOf("ffmpeg"), own);
  const probe = {
    async choose(
      _wish: unknown,
      { onGuess }: { onGuess?: (guess: CaptureChoice) => void } = {},
    ): Promise<CaptureChoice> {
      onGuess?.({ ...syntheticChoice(), source: "a guess" });
      await found.promise;
      return { ...syntheticChoice({ source: "testsrc" }), source: "what was found" };
    },
  };
  const backend = new FfmpegBackend({ ...needs, probe });
  t.onTestFinished(() => backend.stop());
  const fromMs = Date.now();
  backend.hold("clip", fromMs);
  void backend.start();
  await until("the guess records", isRecording(backend));
  assert.equal(backend.state().source, "a guess");
  found.resolve();
  const footage = await backend.cut(planOf(fromMs, Date.now() + 700), file);
  assert.deepEqual(footage.gaps, []);
  assert.equal(backend.state().source, "a guess");
  backend.release("clip");
  await until("what was found records", () => backend.state().source === "what was found");
  assert.equal(backend.state().lostSeconds, 0);
});

test("a guess that delivers nothing is started once and is no failure, and the result of the probe records", {
  skip,
}, async (t) => {
  const found = Promise.withResolvers<void>();
  const ended: string[] = [];
  const states = new Set<string>();
  const guess = { ...syntheticChoice(), args: ["-f", "lavfi", "-i", "nosuchfilter"], warnings: [stillProbingNotice] };
  const backend: FfmpegBackend = new FfmpegBackend({
    ...syntheticDeps(pathOf("ffmpeg"), mkdtempSync(join(folder, "bad-guess-"))),
    onChanged: () => states.add(backend.state().state),
    log: (_, detail) => ended.push(detail),
    probe: {
      async choose(_request, { onGuess } = {}) {
        onGuess?.(guess);
        await found.promise;
        return syntheticChoice();
      },
    },
  });
  t.onTestFinished(() => backend.stop());
  void backend.start();
  await until("the guess has failed", () => ended.length > 0);
  // Longer than the pause before another run would be.
  await new Promise((resolve) => setTimeout(resolve, 4 * shortTimeouts.backoffFirstMs));
  found.resolve();
  await until("what was found records", isRecording(backend));
  assert.deepEqual([ended.length, [...states].toSorted()], [1, ["recording", "starting"]]);
});
