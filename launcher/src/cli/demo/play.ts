// Plays the demo game: draws its window, sends its events on time, and reports their outcomes.
import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  createClient,
  type DemoOutcome,
  type DemoPart,
  type DemoPhase,
  getRecorder,
  ingestOperations,
  KitError,
  type ReceiptEntry,
} from "@kit/contract";
import type { Connection } from "../connection.ts";
import { createOutcomes, type Outcomes, sessionSince } from "./outcomes.ts";
import { prepare } from "./prepare.ts";
import { type StoryStep, story } from "./story.ts";
import type { DemoWindow } from "./window.ts";

/** Receives the demo's progress. */
export type DemoReporter = {
  phase(phase: DemoPhase, says: string): void;
  /** Called about once a second with the seconds of the story so far. */
  second(second: number): void;
  receipt(part: DemoPart, entry: ReceiptEntry): void;
  ended(end: DemoEnd): void;
};

export type DemoEnd = {
  readonly says: string;
  readonly outcomes: readonly DemoOutcome[];
  readonly session: string | null;
};

export type DemoRun = {
  readonly connection: Connection;
  readonly seconds: number;
  readonly window: DemoWindow | undefined;
  readonly tell: DemoReporter;
  /** Aborts when a person ends the demo. */
  readonly stop: AbortSignal;
};

const userAgent = "KitDemo/1.0";
const pollMs = 1_000;
/** The recorder probes inputs and encoders first, which takes long on a busy computer. */
const recorderWithinMs = 45_000;
/** The last clip is cut after the end of the story. */
const outcomesWithinMs = 60_000;
/** Footage to buffer before the first moment, so that its clip shows something. */
const bufferedSecondsMin = 2;

const sleep = (ms: number, stop: AbortSignal) =>
  pause(Math.max(0, ms), undefined, { signal: stop }).catch(() => undefined);

/** Part of the recorder's state text while it still probes. After probing it may restart with another format. */
const probingText = "finding out";

/** Waits until the recorder has footage or cannot record. Returns a sentence about its state. */
async function waitForRecorder(own: Client, stop: AbortSignal): Promise<string> {
  const endMs = performance.now() + recorderWithinMs;
  let settledMs: number | undefined;
  for (;;) {
    const { state } = await own.call(getRecorder);
    const isSettled = state.state === "recording" && !state.detail.includes(probingText);
    settledMs = isSettled ? (settledMs ?? performance.now()) : undefined;
    const settledSeconds = settledMs === undefined ? -1 : (performance.now() - settledMs) / 1_000;
    if (settledSeconds >= bufferedSecondsMin) return `The recorder has footage. ${state.detail}`;
    if (stop.aborted) return "The demo was ended before the recorder was ready.";
    if (state.state === "off" || state.state === "broken")
      return `There will be no footage: ${state.detail} Moments become markers without video.`;
    if (performance.now() > endMs) return `The recorder is not ready yet: ${state.detail} The story starts anyway.`;
    await sleep(pollMs / 2, stop);
  }
}

/** Sends an event like a binding: one POST without credentials. Returns its id, or the launcher's refusal. */
async function send(game: Client, { sends: { kind, ...payload } }: StoryStep): Promise<string | KitError> {
  const body = { ...payload, timestamp: new Date().toISOString() };
  try {
    return ((await game.call(ingestOperations[kind], { body } as never)) as { id: string }).id;
  } catch (error) {
    if (error instanceof KitError) return error;
    throw error;
  }
}

/** Polls the receipts once a second until `waitMs()` is over. */
async function follow(waitMs: () => number, outcomes: Outcomes, { tell, stop }: DemoRun, second: () => number) {
  while (waitMs() > 0 && !stop.aborted) {
    await sleep(Math.min(pollMs, waitMs()), stop);
    await outcomes.poll(tell.receipt);
    tell.second(second());
  }
}

async function playStory(
  playing: DemoRun,
  noPostReason: string | undefined,
  begin: () => () => number,
): Promise<Outcomes> {
  const { connection, seconds, tell, stop } = playing;
  const game = createClient(connection.baseUrl, () => ({ "user-agent": userAgent }));
  const outcomes = createOutcomes(connection.client);
  const play = async (part: StoryStep) => {
    if (part.sends.kind === "social" && noPostReason !== undefined) return tell.phase(part.name, noPostReason);
    tell.phase(part.name, part.says);
    const sent = await send(game, part);
    if (typeof sent === "string") outcomes.addEvent(part.name, sent);
    else tell.phase(part.name, `The launcher refused the event: ${sent.message}`);
  };
  const [first, ...rest] = story;
  if (first !== undefined) await play(first);
  tell.phase("waiting", "Waiting for Kit's recorder.");
  const recorder = await waitForRecorder(connection.client, stop);
  tell.phase("waiting", recorder);
  const second = begin();
  for (const part of rest) {
    await follow(() => (part.at * seconds - second()) * 1_000, outcomes, playing, second);
    if (stop.aborted) return outcomes;
    await play(part);
  }
  await follow(() => (seconds - second()) * 1_000, outcomes, playing, second);
  return outcomes;
}

/** Waits until all outcomes are final, up to a time limit. Returns a closing sentence. */
async function waitForOutcomes(outcomes: Outcomes, { tell, stop }: DemoRun): Promise<string> {
  const endMs = performance.now() + outcomesWithinMs;
  for (;;) {
    await outcomes.poll(tell.receipt);
    const isSettled = await outcomes.isSettled();
    if (stop.aborted) return "The demo was ended early. The events it sent are stored.";
    if (isSettled) return "The demo is over. These are the outcomes.";
    if (performance.now() > endMs)
      return "The demo is over. Some events are still in progress; their receipts show the outcome later.";
    await sleep(pollMs, stop);
  }
}

/** Plays the whole demo. Throws the error of `fetch` if the launcher stops. */
export async function play(playing: DemoRun): Promise<void> {
  const { connection, seconds, window, tell, stop } = playing;
  const openedMs = performance.now();
  const startedAtMs = Date.now();
  let begunMs: number | undefined;
  const second = () => (begunMs === undefined ? 0 : Math.min(seconds, (performance.now() - begunMs) / 1_000));
  const noPostReason = await prepare(connection.client, seconds);
  const drawing = window?.play(() => ({ clock: (performance.now() - openedMs) / 1_000, second: second(), seconds }));
  try {
    const outcomes = await playStory(playing, noPostReason, () => {
      begunMs = performance.now();
      return second;
    });
    window?.close();
    if (!stop.aborted) tell.phase("telling", "The story is over. Waiting for the last clips and posts.");
    const summary = await waitForOutcomes(outcomes, playing);
    const session = await sessionSince(connection.client, startedAtMs);
    tell.ended({ says: summary, outcomes: outcomes.all(), session });
  } finally {
    window?.close();
    await drawing;
  }
}
