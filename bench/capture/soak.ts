// `npm run bench -- soak`: records for an hour with a trigger every 20 s, measures resource usage, then checks every clip.
import { setTimeout as pause } from "node:timers/promises";
import { recordingRuleDefaults, textOf } from "@kit/contract";
import { expectedWindows, groupingFaults } from "../../launcher/test/recording/expected.ts";
import { judgeClip, repeatedFrames, type Span, screenOf, type Verdict } from "../../launcher/test/recording/judge.ts";
import { openScene, record, type Scene, type Trigger, trigger } from "../../launcher/test/recording/scene.ts";
import { watchStarvation } from "../../launcher/test/recording/starvation.ts";
import { treeOf } from "../../launcher/test/support/process-table.ts";
import { type ReadFrame, readClock } from "../../tools/engines/clock-reader.ts";
import type { ClockFrame } from "../../tools/engines/clock-window.ts";
import { defineBench, type Say } from "../bench.ts";
import { greatest, median, quantile, sum } from "../figures.ts";

type Sample = {
  readonly minute: number;
  readonly launcherMb: number;
  readonly captureMb: number;
  /** Occasional jobs such as posters and previews. */
  readonly otherMb: number;
  readonly heldMb: number;
  readonly heldSeconds: number;
  readonly frameRate: number;
  readonly restarts: number;
  readonly lostSeconds: number;
};

const round = (value: number, digits = 1) => Number(value.toFixed(digits));
const megabytes = (bytes: number) => round(bytes / 1e6);

async function sampleOf(scene: Scene, minute: number): Promise<Sample> {
  const { pid } = scene.launcher.process();
  const tree = treeOf(pid);
  const capturing = scene.captures().map((each) => each.pid);
  const megabytesOf = (isCounted: (pid: number) => boolean) =>
    megabytes(sum(tree.filter((each) => isCounted(each.pid)).map(({ residentBytes }) => residentBytes)));
  const state = await scene.recorder();
  if (state.state !== "recording") throw new Error(`the recorder is ${state.state}: ${state.detail}`);
  return {
    minute: round(minute),
    launcherMb: megabytesOf((each) => each === pid),
    captureMb: megabytesOf((each) => capturing.includes(each)),
    otherMb: megabytesOf((each) => each !== pid && !capturing.includes(each)),
    heldMb: megabytes(state.heldBytes),
    heldSeconds: round(state.heldSeconds),
    frameRate: round(state.frameRate),
    restarts: state.restarts,
    lostSeconds: state.lostSeconds,
  };
}

/** Allowance, because footage for pending clips is buffered longer. */
const heldSlackSeconds = 25;
/** Maximum growth from the second to the last quarter, to allow for garbage collection. */
const growthMbMax = 12;
/** In a shorter run, memory grows because the buffer fills. */
const growthMinutesMin = 20;
const frameRateMin = 28;

const quarter = (samples: readonly Sample[], index: number): readonly Sample[] =>
  samples.slice(Math.floor((samples.length * index) / 4), Math.floor((samples.length * (index + 1)) / 4));

function soakFaults(samples: readonly Sample[], bufferSeconds: number): string[] {
  const of = (from: readonly Sample[], name: keyof Sample) => from.map((sample) => sample[name]);
  const growth = (name: "launcherMb" | "captureMb") =>
    median(of(quarter(samples, 3), name)) - median(of(quarter(samples, 1), name));
  const held = greatest(of(samples, "heldSeconds"));
  const rate = median(of(samples, "frameRate"));
  const faults: string[] = [];
  for (const name of ["launcherMb", "captureMb"] as const) {
    const isJudged = (samples.at(-1)?.minute ?? 0) >= growthMinutesMin;
    if (isJudged && !(growth(name) <= growthMbMax)) faults.push(`${name} grew by ${round(growth(name))} MB`);
  }
  if (!(held <= bufferSeconds + heldSlackSeconds)) faults.push(`${held} s held, ${bufferSeconds} s are the bound`);
  if (!(rate >= frameRateMin)) faults.push(`${rate} frames a second`);
  const restarts = samples.at(-1)?.restarts ?? Number.NaN;
  if (restarts !== 0) faults.push(`${restarts} restarts of the capture`);
  return faults;
}

/** Minimum, median and maximum. */
const spread = (values: readonly number[]) => [0, 0.5, 1].map((share) => round(quantile(values, share)));

/** The spread of each figure, and the number of samples. */
function soakFigures(samples: readonly Sample[]): Record<string, unknown> {
  const names = Object.keys(samples[0] ?? {}) as (keyof Sample)[];
  const figures = names.map((name) => [name, spread(samples.map((sample) => sample[name]))]);
  return { samples: samples.length, ...Object.fromEntries(figures) };
}

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

async function readSoakClips(scene: Scene, { triggers, painted, starvedMs, say }: Needs) {
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
  const spreadOfClips = (name: keyof Verdict) => spread(verdicts.map((verdict) => Number(verdict[name])));
  const figures = {
    triggers: triggers.length,
    moments: found.size,
    clips: clips.length,
    frames: sum(verdicts.map(({ frames }) => frames)),
    megabytes: megabytes(sum(clips.map(({ bytes }) => bytes))),
    firstErrorMs: spreadOfClips("firstErrorMs"),
    lastErrorMs: spreadOfClips("lastErrorMs"),
    frameMs: spreadOfClips("frameMs"),
    longestStepMs: spreadOfClips("longestStepMs"),
    excusedSteps: sum(verdicts.map(({ excused }) => excused)),
  };
  return { faults, figures };
}

const sampleEveryMs = 10_000;
const sayEverySamples = 6;
const lastClipWithinMs = 60_000;

type Kept = {
  readonly triggers: Trigger[];
  readonly painted: ClockFrame[];
  readonly samples: Sample[];
  /** Problems that did not end the run. */
  readonly troubles: string[];
  readonly say: Say;
};

async function attempt(kept: Kept, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const trouble = `${what}: ${(error as Error).message}`;
    kept.troubles.push(trouble);
    kept.say(`TROUBLE ${trouble}`);
  }
}

async function pullTriggers(scene: Scene, kept: Kept, minutes: number, everySeconds: number): Promise<void> {
  const beganMs = performance.now();
  const count = Math.round((minutes * 60) / everySeconds);
  for (let index = 0; index < count; index += 1) {
    await pause(Math.max(0, beganMs + index * everySeconds * 1_000 - performance.now()));
    await attempt(kept, `trigger ${index + 1}`, async () => {
      kept.triggers.push(await trigger(scene.launcher, "soak_moment"));
    });
  }
  // Waits for the last post-roll and merge gap.
  await pause(Math.max(15_000, beganMs + minutes * 60_000 - performance.now()));
}

async function takeSamples(scene: Scene, kept: Kept, isOver: AbortSignal): Promise<void> {
  const beganMs = performance.now();
  for (let index = 1; !isOver.aborted; index += 1) {
    await pause(Math.max(0, beganMs + index * sampleEveryMs - performance.now()));
    await attempt(kept, "sample", async () => {
      kept.painted.push(...(await scene.window.takeFrames()));
      const sample = await sampleOf(scene, (performance.now() - beganMs) / 60_000);
      kept.samples.push(sample);
      if (index % sayEverySamples === 0) kept.say(`${kept.triggers.length} triggers ${JSON.stringify(sample)}`);
    });
  }
}

async function atRest(scene: Scene): Promise<void> {
  const endMs = performance.now() + lastClipWithinMs;
  for (;;) {
    const pending = (await scene.clips()).filter(({ state }) => state === "pending").length;
    if (pending === 0) return;
    if (performance.now() > endMs) throw new Error(`${pending} clips are still pending`);
    await pause(500);
  }
}

type Asked = { readonly minutes: number; readonly every: number; readonly buffer: number };
type Results = { readonly figures: Readonly<Record<string, unknown>>; readonly faults: readonly string[] };

async function measure({ minutes, every, buffer }: Asked, say: Say): Promise<Results> {
  const timed: Say = (line) => say(`${new Date().toISOString().slice(11, 19)} ${line}`);
  const kept: Kept = { triggers: [], painted: [], samples: [], troubles: [], say: timed };
  await using scene = await openScene();
  timed(`data in ${scene.launcher.dataDir}`);
  await record(scene, { bufferSeconds: buffer }, 13);
  using starvation = watchStarvation(() => scene.captures().map(({ pid }) => pid));
  const over = new AbortController();
  const sampling = takeSamples(scene, kept, over.signal);
  await pullTriggers(scene, kept, minutes, every);
  over.abort();
  await sampling;
  await attempt(kept, "the last clips", () => atRest(scene));
  timed("reading the clips");
  const { triggers, painted, samples, troubles } = kept;
  const read = await readSoakClips(scene, { triggers, painted, starvedMs: starvation.starvedMs, say: timed });
  const figures = { ...soakFigures(samples), ...read.figures };
  return { figures, faults: [...soakFaults(samples, buffer), ...read.faults, ...troubles] };
}

export const soak = defineBench({
  summary: "records for an hour, then reads every clip",
  about: `Records for an hour with a trigger every 20 s, watches what it uses, and reads every frame of every clip. Fails when memory or
buffer grew, the capture was restarted, a moment is in no clip, or a frame is missing or twice there.`,
  flags: {
    minutes: { says: "how long it records", usual: 60, quick: 1 },
    every: { says: "seconds between triggers", usual: 20 },
    buffer: { says: "seconds the replay buffer holds", usual: 90, quick: 30, least: 20 },
  },
  needs: ["Xvfb", "ffmpeg"],
  usesLauncher: true,
  measure,
  tables: ({ figures }) => Object.entries(figures).map(([name, figure]) => `${name}: ${JSON.stringify(figure)}`),
  targets: () => [],
  faults: ({ faults }) => faults,
});
