// Checks the clips of a long recording: every moment is in a clip, at the right time, and no clip is missing.

import { recordingRuleDefaults, textOf } from "@kit/contract";
import { expectedWindows, groupingFaults } from "../../launcher/test/recording/expected.ts";
import { judgeClip, repeatedFrames, type Span, screenOf, type Verdict } from "../../launcher/test/recording/judge.ts";
import type { Scene, Trigger } from "../../launcher/test/recording/scene.ts";
import { type ReadFrame, readClock } from "../../tools/engines/clock-reader.ts";
import type { ClockFrame } from "../../tools/engines/clock-window.ts";
import { quantile } from "../figures.ts";

type Needs = {
  readonly triggers: readonly Trigger[];
  readonly painted: readonly ClockFrame[];
  readonly starvedMs: (span: Span) => number;
  readonly say: (line: string) => void;
};

const frameMs = 1_000 / 30;
const sayEvery = 20;
const { preSeconds, postSeconds, mergeGapSeconds, longestSeconds } = recordingRuleDefaults;
const rule = {
  preMs: preSeconds * 1_000,
  postMs: postSeconds * 1_000,
  mergeGapMs: mergeGapSeconds * 1_000,
  longestMs: longestSeconds * 1_000,
};

const isIn = (frames: readonly ReadFrame[], { atMs }: Trigger) =>
  frames.some(({ ok, clockMs }) => ok && Math.abs(clockMs - atMs) <= frameMs + 50);

export async function readSoakClips(scene: Scene, { triggers, painted, starvedMs, say }: Needs) {
  const clips = await scene.clips();
  const groups = clips.map(({ id, events }) => ({ clip: id, events: events.map((event) => event.id) }));
  const screen = screenOf(painted);
  const windows = expectedWindows(triggers, groups, rule);
  const faults = groupingFaults(triggers, windows, rule);
  const verdicts: Verdict[] = [];
  const found = new Set<string>();
  let previous: { startedMs: number; frames: readonly ReadFrame[] } | undefined;
  for (const [index, window] of windows.entries()) {
    const clip = clips.find(({ id }) => id === window.clip);
    if (clip?.state !== "saved" || clip.path === null) {
      faults.push(`clip ${window.clip} is ${clip?.state}: ${textOf(clip?.reason ?? "")}`);
      continue;
    }
    try {
      const frames = await readClock(clip.path);
      const verdict = judgeClip(frames, window, { screen, starvedMs });
      verdicts.push(verdict);
      faults.push(...verdict.faults.map((fault) => `${clip.path}: ${fault}`));
      for (const each of window.triggers) if (isIn(frames, each)) found.add(each.id);
      const shown = { startedMs: Date.parse(clip.startedAt), frames };
      const repeated = previous === undefined ? [] : repeatedFrames([previous, shown], screen);
      if (repeated.length > 0) faults.push(`${clip.path}: ${repeated.length} frames are in the clip before too`);
      previous = shown;
    } catch (error) {
      faults.push(`${clip.path}: ${(error as Error).message}`);
    }
    if ((index + 1) % sayEvery === 0)
      say(`${index + 1} clips read, ${found.size} moments found, ${faults.length} faults`);
  }
  const lost = triggers.filter(({ id }) => !found.has(id));
  faults.push(...lost.map(({ id, atMs }) => `the moment of ${id} at ${new Date(atMs).toISOString()} is in no clip`));
  const spread = (of: (verdict: Verdict) => number) =>
    [0, 0.5, 1].map((share) => Math.round(quantile(verdicts.map(of), share)));
  const figures = {
    triggers: triggers.length,
    moments: found.size,
    clips: clips.length,
    frames: verdicts.reduce((sum, { frames }) => sum + frames, 0),
    megabytes: Math.round(clips.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6),
    firstErrorMs: spread(({ firstErrorMs }) => firstErrorMs),
    lastErrorMs: spread(({ lastErrorMs }) => lastErrorMs),
    frameMs: spread(({ frameMs: each }) => each),
    longestStepMs: spread(({ longestStepMs }) => longestStepMs),
    excusedSteps: verdicts.reduce((sum, { excused }) => sum + excused, 0),
  };
  return { faults, figures };
}
