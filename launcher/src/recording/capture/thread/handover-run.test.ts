// Two real runs of ffmpeg, one after the other by other settings: a clip over both has no hole.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathOf, skipWithout } from "../../../../../tools/engines/locate.ts";
import type { Choice } from "../probe/choice.ts";
import { createFfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, madeUpChoice, madeUpNeeds, until } from "./fixture.ts";

const skip = skipWithout("ffmpeg");
const folder = mkdtempSync(join(tmpdir(), "kit-handover-"));
after(() => rmSync(folder, { recursive: true }));

type Order = { fromMs: number; toMs: number };
const orderOf = ({ fromMs, toMs }: Order) => ({
  fromMs,
  toMs,
  file: join(folder, "clip.mp4"),
  title: "",
  comment: "[]",
  chapters: [],
});
const pidIn = (file: string) => (JSON.parse(readFileSync(file, "utf8")) as { pid: number }[]).at(-1)?.pid;

test("settings that change while a clip is under way leave no hole in it", { skip }, async (t) => {
  let source = "testsrc2";
  const needs = madeUpNeeds(pathOf("ffmpeg"), folder);
  // Another program line, whose footage fits into the same file.
  const choose = async (): Promise<Choice> => ({ ...madeUpChoice({ source }), source });
  const settings = () => ({ ...needs.settings(), obsUrl: source });
  const backend = createFfmpegBackend({ ...needs, settings, probe: { choose } });
  t.after(backend.stop);
  await backend.start();
  await until("it records", isRecording(backend.state));
  const first = pidIn(needs.captureFile);
  const fromMs = Date.now();
  backend.hold("clip", fromMs);
  await until("a second is held", () => Date.now() - fromMs > 1_200);
  source = "testsrc";
  await backend.start();
  assert.equal(backend.state().source, "testsrc2", "it says what it captures, not what it will");
  await until("the other one captures", () => backend.state().source === "testsrc");
  const footage = await backend.cut(orderOf({ fromMs, toMs: Date.now() + 1_000 }));
  assert.deepEqual(footage.holes, []);
  assert.ok(footage.fromMs - fromMs < 150 && footage.toMs - fromMs > 2_000, JSON.stringify(footage));
  assert.deepEqual([backend.state().lostSeconds, backend.state().restarts], [0, 0]);
  await until("the second one is noted", () => existsSync(needs.captureFile) && pidIn(needs.captureFile) !== first);
  backend.release("clip");
  await backend.stop();
  assert.equal(existsSync(needs.captureFile), false);
});

test("a guess captures while it is being found out, and what was found takes over when its clip is done", {
  skip,
}, async (t) => {
  const own = mkdtempSync(join(folder, "guess-"));
  const found = Promise.withResolvers<void>();
  const needs = madeUpNeeds(pathOf("ffmpeg"), own);
  const probe = {
    async choose(_wish: unknown, { meanwhile }: { meanwhile?: (guess: Choice) => void } = {}): Promise<Choice> {
      meanwhile?.({ ...madeUpChoice(), source: "a guess" });
      await found.promise;
      return { ...madeUpChoice({ source: "testsrc" }), source: "what was found" };
    },
  };
  const backend = createFfmpegBackend({ ...needs, probe });
  t.after(backend.stop);
  const fromMs = Date.now();
  backend.hold("clip", fromMs);
  void backend.start();
  await until("the guess records", isRecording(backend.state));
  assert.equal(backend.state().source, "a guess");
  found.resolve();
  const footage = await backend.cut(orderOf({ fromMs, toMs: Date.now() + 700 }));
  assert.deepEqual(footage.holes, []);
  assert.equal(backend.state().source, "a guess");
  backend.release("clip");
  await until("what was found records", () => backend.state().source === "what was found");
  assert.equal(backend.state().lostSeconds, 0);
});
