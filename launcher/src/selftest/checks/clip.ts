// Checks of a whole clip: an event of another program becomes a video that shows the right moment, with the sound that was played.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Clip,
  changeRecorder,
  changeRecordingRule,
  getClipVideo,
  getReceipt,
  getRecorder,
  hasCode,
  listClips,
  type MessageOrText,
  type TestRecording,
  textOf,
} from "@kit/contract";
import { toMessage } from "@kit/contract/messages";
import { findWorkingSound } from "../../recording/capture/probe/sound-source.ts";
import { isWindowsFault } from "../../recording/capture/windows-faults.ts";
import type { Ffmpeg } from "../../recording/ffmpeg/find.ts";
import { runFfmpeg } from "../../recording/ffmpeg/run.ts";
import {
  type Bench,
  failed,
  impossible,
  inSentence,
  lacksFfi,
  needsNewerNode,
  type Outcome,
  passed,
  rounded,
  runAgain,
} from "../check.ts";
import { readClock } from "../clock/clock-reader.ts";
import { compareClocks } from "../clock/compare.ts";
import { openStrip, type Strip } from "../clock/strip.ts";
import type { OwnLauncher } from "../own-launcher.ts";
import { selftestEvent } from "../sender.ts";
import { analysedRate, playTone, secondsWithTone, type Tone, unmute } from "../tone.ts";
import { findSources, pictureOfStrip, stripPlace } from "./capture.ts";

export type ClipOutcomes = { readonly clip: Outcome; readonly sound: Outcome };

const recordsWithinMs = 30_000;
/** A busy computer tries lower and lower quality, for 8 s each: 35 s were measured. */
const choosesWithinMs = 75_000;
const savedWithinMs = 30_000;
const pollMs = 200;
const heldSecondsMin = 3;
const preSeconds = 3;
const postSeconds = 4;
/** The tone begins just before the event, and ends after the clip. */
const toneSeconds = 8;
const toneSecondsMin = 1;

const findWhy = "Run `kit recorder test`, which says more.";

async function until(signal: AbortSignal, withinMs: number, isDone: () => Promise<boolean>): Promise<boolean> {
  for (const deadlineMs = performance.now() + withinMs; performance.now() < deadlineMs; await pause(pollMs)) {
    if (signal.aborted) return false;
    if (await isDone()) return true;
  }
  return false;
}

const notRecorded = (why: MessageOrText) =>
  failed(`Nothing was recorded. ${inSentence(textOf(why))}`, isWindowsFault(toMessage(why)) ? "" : findWhy);

/** Switches the recorder on. Resolves to why it does not record; undefined if the replay buffer fills. */
async function record({ client }: OwnLauncher, signal: AbortSignal): Promise<Outcome | undefined> {
  await client.call(changeRecorder, {
    body: { when: "always", picture: "screen", sound: "system", clipNotice: "off", backend: "ffmpeg" },
  });
  await client.call(changeRecordingRule, { body: { eventId: selftestEvent, preSeconds, postSeconds } });
  const stateNow = async () => (await client.call(getRecorder)).state;
  if (!(await until(signal, recordsWithinMs, async () => (await stateNow()).heldSeconds > 0)))
    return notRecorded((await stateNow()).detail);
  // Kit records by a first guess, without sound, until it knows what works here.
  const isHeld = async () => {
    const { heldSeconds, detail } = await stateNow();
    return heldSeconds >= heldSecondsMin && !hasCode(detail, "recorder.still_probing");
  };
  if (await until(signal, choosesWithinMs, isHeld)) return undefined;
  return failed("The computer was too busy to find out how it records best.", runAgain);
}

/** Waits for the end of the event's receipt. Returns the saved clip, or why there is none. */
async function savedClip({ client }: OwnLauncher, event: string, signal: AbortSignal): Promise<Clip | string> {
  let last = "Nothing happened to the event.";
  const isOver = async () => {
    const { states } = await client.call(getReceipt, { params: { id: event } });
    const newest = states.at(-1);
    last = newest?.reason === undefined ? `The event is ${newest?.state}.` : inSentence(textOf(newest.reason));
    return newest !== undefined && ["saved", "failed", "marked", "ignored"].includes(newest.state);
  };
  await until(signal, savedWithinMs, isOver);
  const { clips } = await client.call(listClips, { query: {} });
  const clip = clips.find(({ events, state }) => state === "saved" && events.some(({ id }) => id === event));
  return clip ?? last;
}

/** Returns how many seconds of the file have the tone; undefined if the file has no sound. */
async function toneIn(ffmpeg: Ffmpeg, file: string, signal: AbortSignal): Promise<number | undefined> {
  const output = ["-map", "0:a:0", "-ac", "1", "-ar", String(analysedRate), "-f", "f32le", "pipe:1"];
  const job = { outBytesMax: 16_000_000, signal };
  const found = await runFfmpeg(ffmpeg, ["-v", "error", "-i", file, ...output], job).catch(() => undefined);
  if (found === undefined || found.stdout.length < 4) return undefined;
  const { buffer, byteOffset, length } = Buffer.from(found.stdout);
  return secondsWithTone(new Float32Array(buffer.slice(byteOffset, byteOffset + (length & ~3))));
}

async function judgePicture(bench: Bench, file: string, clip: Clip, strip: Strip): Promise<Outcome> {
  const ffmpeg = bench.ffmpeg as Ffmpeg;
  const beganMs = Date.parse(clip.startedAt);
  const frames = await readClock(ffmpeg.path, file, ffmpeg.hasFpsMode);
  // A clip counts from its first frame.
  const inTime = frames.map((frame) => ({ ...frame, ptsMs: beganMs + frame.ptsMs }));
  const { figures, fault, poor } = compareClocks(inTime, await strip.takePainted());
  const all = { ...figures, seconds: rounded(clip.duration), width: clip.width, height: clip.height };
  if (fault !== undefined) return failed(`A clip was saved, but ${fault.what}.`, fault.toDo, all);
  return passed(all, await pictureOfStrip(ffmpeg, file, bench.signal), poor);
}

type Played = { readonly works: boolean; readonly why: string };

/** Finds out whether sound can be recorded here at all. */
async function findSound({ ffmpeg, signal }: Bench): Promise<Played> {
  const tried: TestRecording["tried"] = [];
  const settings = { sound: "system", microphone: false } as const;
  const found = await findWorkingSound({
    request: { ffmpeg: ffmpeg as Ffmpeg, settings },
    tried,
    signal,
  });
  return { works: found !== null, why: tried.map(({ why }) => textOf(why)).join(" ") };
}

function judgeSound(sound: Played, unplayed: string | undefined, heard: number | undefined): Outcome {
  if (!sound.works) return impossible(`No sound can be recorded here. ${inSentence(sound.why)}`);
  if (unplayed !== undefined) return impossible(`The tone could not be played: ${unplayed}`);
  if (heard === undefined) return failed("The clip has no sound.", findWhy);
  const figures = { secondsWithTone: rounded(heard) };
  if (heard >= toneSecondsMin) return passed(figures);
  return failed("The tone is not in the clip.", unmute, figures);
}

/** Makes a clip of an event that `send` sends. Resolves to what is wrong with its picture and its sound. */
export async function checkClip(
  bench: Bench,
  launcher: OwnLauncher,
  send: () => Promise<string>,
): Promise<ClipOutcomes> {
  const { ffmpeg, noFfmpeg, signal, folder } = bench;
  const both = (outcome: Outcome): ClipOutcomes => ({ clip: outcome, sound: outcome });
  if (ffmpeg === undefined) return both(impossible(textOf(noFfmpeg)));
  if (process.platform === "darwin") return both(impossible("Kit has no test window for macOS yet."));
  if (lacksFfi) return both(needsNewerNode);
  const sources = await findSources(bench);
  if ("refused" in sources) return both(impossible(textOf(sources.refused)));
  const sound = await findSound(bench);
  const strip = await openStrip(stripPlace(bench, sources.sources)).catch((error: Error) => error.message);
  if (typeof strip === "string") return both(impossible(`The test window could not be shown: ${strip}.`));
  const file = join(folder, "clip.mp4");
  let tone: Tone | undefined;
  try {
    const idle = await record(launcher, signal);
    if (idle !== undefined) return both(idle);
    tone = playTone({ seconds: toneSeconds, folder });
    const clip = await savedClip(launcher, await send(), signal);
    if (typeof clip === "string") return both(failed(`No clip was saved. ${clip}`, findWhy));
    const video = await launcher.client.open(getClipVideo, { params: { id: clip.id }, query: {} });
    writeFileSync(file, Buffer.from(await video.arrayBuffer()));
    const unplayed = await Promise.race([tone.ended, Promise.resolve(undefined)]);
    return {
      clip: await judgePicture(bench, file, clip, strip),
      sound: judgeSound(sound, unplayed, sound.works ? await toneIn(ffmpeg, file, signal) : undefined),
    };
  } finally {
    tone?.stop();
    await strip.close();
    rmSync(file, { force: true });
  }
}
