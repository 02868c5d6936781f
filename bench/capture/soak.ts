// `npm run bench -- soak`, or this file by itself: records for an hour with a trigger every 20 s, watches what it uses, then
// reads every clip. Ends with 1 when memory or buffer grew, or a moment is in no clip.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openScene, record, type Scene, type Trigger, trigger } from "../../launcher/test/recording-scene.ts";
import { watchStarvation } from "../../launcher/test/recording-starvation.ts";
import type { ClockFrame } from "../../tools/engines/clock-window.ts";
import { provideLauncher } from "../provide.ts";
import { machineAndNode } from "../results.ts";
import { readSoakClips } from "./soak-clips.ts";
import { type Sample, sampleOf, soakFaults, soakFigures } from "./soak-figures.ts";

const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);
const sampleEveryMs = 10_000;
const sayEverySamples = 6;
const lastClipWithinMs = 60_000;

type Soak = { readonly minutes: number; readonly everySeconds: number; readonly bufferSeconds: number };

type Kept = {
  readonly triggers: Trigger[];
  readonly painted: ClockFrame[];
  readonly samples: Sample[];
  /** What went wrong on the way and did not end it. */
  readonly troubles: string[];
};

function readOptions(words: readonly string[]): Soak {
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: { type: "string", default: "60" },
      every: { type: "string", default: "20" },
      buffer: { type: "string", default: "90" },
    },
  });
  const number = (name: keyof typeof values) => {
    const value = Number(values[name]);
    if (value > 0) return value;
    throw new Error(`--${name} is ${JSON.stringify(values[name])}; give a number above 0.`);
  };
  return { minutes: number("minutes"), everySeconds: number("every"), bufferSeconds: number("buffer") };
}

async function attempt(record: Kept, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const trouble = `${what}: ${(error as Error).message}`;
    record.troubles.push(trouble);
    say(`TROUBLE ${trouble}`);
  }
}

async function pullTriggers(scene: Scene, kept: Kept, { minutes, everySeconds }: Soak): Promise<void> {
  const beganMs = performance.now();
  const count = Math.round((minutes * 60) / everySeconds);
  for (let index = 0; index < count; index += 1) {
    await pause(Math.max(0, beganMs + index * everySeconds * 1_000 - performance.now()));
    await attempt(kept, `trigger ${index + 1}`, async () => {
      kept.triggers.push(await trigger(scene.launcher, "soak_moment"));
    });
  }
  // The last one's post-roll and merge gap are over by then.
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
      if (index % sayEverySamples === 0) say(`${kept.triggers.length} triggers ${JSON.stringify(sample)}`);
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

export async function benchSoak(words: readonly string[]): Promise<void> {
  const soak = readOptions(words);
  const { minutes, everySeconds, bufferSeconds } = soak;
  provideLauncher();
  say(`${machineAndNode()}; ${minutes} minutes, a trigger every ${everySeconds} s, ${bufferSeconds} s of buffer`);
  const kept: Kept = { triggers: [], painted: [], samples: [], troubles: [] };
  await using scene = await openScene();
  say(`data in ${scene.launcher.dataDir}`);
  await record(scene, { bufferSeconds }, 13);
  using starvation = watchStarvation(() => scene.captures().map(({ pid }) => pid));
  const over = new AbortController();
  const sampling = takeSamples(scene, kept, over.signal);
  await pullTriggers(scene, kept, soak);
  over.abort();
  await sampling;
  await attempt(kept, "the last clips", () => atRest(scene));
  say("reading the clips");
  const { triggers, painted, samples, troubles } = kept;
  const read = await readSoakClips(scene, { triggers, painted, starvedMs: starvation.starvedMs, say });
  const faults = [...soakFaults(samples, bufferSeconds), ...read.faults, ...troubles];
  const figures = { ...soakFigures(samples), ...read.figures };
  for (const [name, figure] of Object.entries(figures)) console.log(`  ${name}: ${JSON.stringify(figure)}`);
  for (const fault of faults) console.log(`  FAULT ${fault}`);
  say(faults.length === 0 ? "all holds" : `${faults.length} faults`);
  if (faults.length > 0) process.exitCode = 1;
}

if (import.meta.main) {
  try {
    await benchSoak(process.argv.slice(2));
  } catch (error) {
    say(`ended early: ${(error as Error).stack}`);
    process.exitCode = 1;
  }
}
