// `npm run bench -- soak`: records for an hour with a trigger every 20 s, measures resource usage, then checks every clip.
import { setTimeout as pause } from "node:timers/promises";
import { openScene, record, type Scene, type Trigger, trigger } from "../../launcher/test/recording/scene.ts";
import { watchStarvation } from "../../launcher/test/recording/starvation.ts";
import type { ClockFrame } from "../../tools/engines/clock-window.ts";
import { defineBench } from "../bench.ts";
import { readSoakClips } from "./soak-clips.ts";
import { type Sample, sampleOf, soakFaults, soakFigures } from "./soak-figures.ts";

const sampleEveryMs = 10_000;
const sayEverySamples = 6;
const lastClipWithinMs = 60_000;

type Say = (line: string) => void;

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
