// Plays the made-up game: its window, its events by the clock, and what becomes of them.
import { setTimeout as pause } from "node:timers/promises";
import {
  type Client,
  createClient,
  type DemoOutcome,
  type DemoPart,
  type DemoPhase,
  getRecorder,
  ingestOf,
  KitError,
  type ReceiptEntry,
} from "@kit/contract";
import type { Connection } from "../connection.ts";
import { createOutcomes, type Outcomes, sessionSince } from "./outcomes.ts";
import { prepare } from "./prepare.ts";
import { type Part, story } from "./story.ts";
import type { DemoWindow } from "./window.ts";

/** What it tells while it plays. */
export type Teller = {
  phase(phase: DemoPhase, says: string): void;
  /** Another second of the story is over. */
  second(second: number): void;
  receipt(part: DemoPart, entry: ReceiptEntry): void;
  ended(end: DemoEnd): void;
};

export type DemoEnd = {
  readonly says: string;
  readonly outcomes: readonly DemoOutcome[];
  readonly session: string | null;
};

export type Playing = {
  readonly connection: Connection;
  readonly seconds: number;
  readonly window: DemoWindow | undefined;
  readonly tell: Teller;
  /** Aborts when a person wants it to end. */
  readonly stop: AbortSignal;
};

const client = "KitDemo/1.0";
const lookEveryMs = 1_000;
/** It tries inputs and encoders first; a busy machine takes its time over each. */
const recorderWithinMs = 45_000;
/** The last clip is still open when the story is over, and is cut after that. */
const tellWithinMs = 60_000;
/** Footage before the first moment, so that there is something to see of it. */
const heldSecondsMin = 2;

const until = (ms: number, stop: AbortSignal) =>
  pause(Math.max(0, ms), undefined, { signal: stop }).catch(() => undefined);

/** The recorder's own words while it captures by a first guess; what it finds out may be another format, and begins anew. */
const guesses = "finding out";

/** Waits until the recorder has footage, or it is plain that there will be none. Returns what it says of itself. */
async function recorderReady(own: Client, stop: AbortSignal): Promise<string> {
  const endMs = performance.now() + recorderWithinMs;
  let settledMs: number | undefined;
  for (;;) {
    const { state } = await own.call(getRecorder);
    const isSettled = state.state === "recording" && !state.detail.includes(guesses);
    settledMs = isSettled ? (settledMs ?? performance.now()) : undefined;
    const ownSeconds = settledMs === undefined ? -1 : (performance.now() - settledMs) / 1_000;
    if (ownSeconds >= heldSecondsMin) return `The recorder has footage. ${state.detail}`;
    if (stop.aborted) return "The demo is ended before the recorder was ready.";
    if (state.state === "off" || state.state === "broken")
      return `There will be no footage: ${state.detail} Moments are kept as markers, without video.`;
    if (performance.now() > endMs)
      return `The recorder is not ready yet: ${state.detail} The story begins all the same.`;
    await until(lookEveryMs / 2, stop);
  }
}

/** As a binding does it: one POST, without a secret. Undefined where the launcher would not have it. */
async function send(game: Client, { sends: { kind, ...payload } }: Part): Promise<string | KitError> {
  const body = { ...payload, timestamp: new Date().toISOString() };
  try {
    return ((await game.call(ingestOf[kind], { body } as never)) as { id: string }).id;
  } catch (error) {
    if (error instanceof KitError) return error;
    throw error;
  }
}

/** Looks at the receipts once a second while the story goes on. */
async function follow(waitMs: () => number, outcomes: Outcomes, { tell, stop }: Playing, second: () => number) {
  while (waitMs() > 0 && !stop.aborted) {
    await until(Math.min(lookEveryMs, waitMs()), stop);
    await outcomes.look(tell.receipt);
    tell.second(second());
  }
}

async function tellStory(playing: Playing, leftOut: string | undefined, begin: () => () => number): Promise<Outcomes> {
  const { connection, seconds, tell, stop } = playing;
  const game = createClient(connection.baseUrl, () => ({ "user-agent": client }));
  const outcomes = createOutcomes(connection.client);
  const play = async (part: Part) => {
    if (part.sends.kind === "social" && leftOut !== undefined) return tell.phase(part.name, leftOut);
    tell.phase(part.name, part.says);
    const sent = await send(game, part);
    if (typeof sent === "string") outcomes.sent(part.name, sent);
    else tell.phase(part.name, `The launcher refused it: ${sent.message}`);
  };
  const [first, ...rest] = story;
  if (first !== undefined) await play(first);
  tell.phase("waiting", "Kit's recorder gets ready.");
  const recorder = await recorderReady(connection.client, stop);
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

/** Waits for what was promised; says so where it takes longer than anybody waits. */
async function settle(outcomes: Outcomes, { tell, stop }: Playing): Promise<string> {
  const endMs = performance.now() + tellWithinMs;
  for (;;) {
    await outcomes.look(tell.receipt);
    const isSettled = await outcomes.isSettled();
    if (stop.aborted) return "The demo was ended early. What it sent so far is kept.";
    if (isSettled) return "The demo is over, and this became of it.";
    if (performance.now() > endMs)
      return "The demo is over. Some of it is still under way: receipts tell when it is done.";
    await until(lookEveryMs, stop);
  }
}

/** Throws what the connection throws when the launcher is gone. */
export async function play(playing: Playing): Promise<void> {
  const { connection, seconds, window, tell, stop } = playing;
  const openedMs = performance.now();
  const startedAtMs = Date.now();
  let begunMs: number | undefined;
  const second = () => (begunMs === undefined ? 0 : Math.min(seconds, (performance.now() - begunMs) / 1_000));
  const leftOut = await prepare(connection.client, seconds);
  const drawing = window?.play(() => ({ clock: (performance.now() - openedMs) / 1_000, second: second(), seconds }));
  try {
    const outcomes = await tellStory(playing, leftOut, () => {
      begunMs = performance.now();
      return second;
    });
    window?.close();
    if (!stop.aborted) tell.phase("telling", "The story is over. What the receipts promised is being made.");
    const says = await settle(outcomes, playing);
    const session = await sessionSince(connection.client, startedAtMs);
    tell.ended({ says, outcomes: outcomes.all(), session });
  } finally {
    window?.close();
    await drawing;
  }
}
