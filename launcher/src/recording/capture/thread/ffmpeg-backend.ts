// Captures by ffmpeg: chooses the command, and speaks for the thread that runs it.
import type { RecorderSettings, RecorderState } from "@kit/contract";
import type { Ffmpeg } from "../../ffmpeg/ffmpeg.ts";
import type { FoundFfmpeg } from "../../ffmpeg/find.ts";
import { type Backend, type CutOrder, type Footage, NoFootage } from "../backend.ts";
import { type Choice, type Refusal, stepDown } from "../probe/choice.ts";
import type { CaptureWish, Probe } from "../probe/probe.ts";
import { endedSaid, stateOf, whyNone } from "./ffmpeg-state.ts";
import type { BufferBounds, Level, Offer, ThreadStatus } from "./messages.ts";
import { endOrphans } from "./orphans.ts";
import { startCaptureThread, type ThreadClient } from "./thread-client.ts";
import { backOffMs, type Patience } from "./watchdogs.ts";

type Offers = {
  offer(choice: Choice): Offer;
  newest(): number;
  /** The newest where no number is given, or none has it. */
  choiceAt(number?: number): Choice | undefined;
};

/** The one under way, the one that is to follow it, and some that came to nothing. */
const keptMax = 8;

/** What the thread was given to capture with, by the number it tells in its status. */
function createOffers(): Offers {
  const choices = new Map<number, Choice>();
  let newest = 0;
  return {
    offer(choice) {
      newest += 1;
      choices.set(newest, choice);
      choices.delete(newest - keptMax);
      return { levels: levelsOf(choice), level: choice.level, choice: newest };
    },
    newest: () => newest,
    choiceAt: (number = newest) => choices.get(number) ?? choices.get(newest),
  };
}

/** The chosen command, and each step down from it. */
function levelsOf(choice: Choice): Level[] {
  const levels: Level[] = [];
  for (let step: Choice | undefined = choice; step !== undefined; step = stepDown(choice, levels.length)) {
    const { args, width, height, frameRate, steady } = step;
    levels.push({ args, width, height, frameRate, steady });
  }
  return levels;
}

// How much footage is kept in memory, by the settings.

/** The encoder is held to 8 Mbit/s; sound and the container come on top. */
const bytesASecond = 1_250_000;

/** Keyframes are a second apart: whole groups of pictures need a little more than was asked for. */
const boundsOf = ({ bufferSeconds }: RecorderSettings): BufferBounds => ({
  secondsMax: bufferSeconds + 2,
  bytesMax: (bufferSeconds + 2) * bytesASecond,
});

export type FfmpegBackendNeeds = {
  readonly settings: () => RecorderSettings;
  readonly ffmpeg: () => Promise<FoundFfmpeg>;
  readonly system: { readonly display: string | undefined; readonly wayland: boolean };
  readonly captureFile: string;
  readonly probe: Pick<Probe, "choose">;
  readonly patience: Patience;
  readonly onChanged: () => void;
  readonly log: (what: string, detail: string) => void;
};

const cutPatienceMs = 3_000;
/** A failing choice runs programs: not more often than this, and ever less often. */
const chooseAgain = { backOffFirstMs: 10_000, backOffMostMs: 300_000 };

export type FfmpegBackend = Backend & {
  /** Finds out how to capture before anybody asks for it, at the lowest priority. Never rejects. */
  prepare(signal: AbortSignal): Promise<void>;
};

export function createFfmpegBackend(needs: FfmpegBackendNeeds): FfmpegBackend {
  const holds = new Map<string, number>();
  const cuts = new Set<Promise<Footage>>();
  let isWanted = false;
  let thread: { client: ThreadClient; ffmpeg: string; bounds: BufferBounds } | undefined;
  let closing: Promise<void> = Promise.resolve();
  let choosing: { wish: string; done: Promise<void> } | undefined;
  let abort: AbortController | undefined;
  let refusal: Refusal | undefined;
  let status: ThreadStatus | undefined;
  const offers = createOffers();
  /** Found out while a guess captures a clip: it takes over when that clip is done. */
  let waiting: Choice | undefined;
  let recordsSinceMs: number | undefined;
  let choices = 0;
  let deaths = 0;
  let again: NodeJS.Timeout | undefined;
  /** What threads that died had counted. */
  const before = { restarts: 0, lostSeconds: 0 };

  const startThread = (ffmpeg: string): ThreadClient => {
    const bounds = boundsOf(needs.settings());
    if (thread !== undefined && thread.ffmpeg === ffmpeg) {
      if (bounds.secondsMax !== thread.bounds.secondsMax) thread.client.tell({ type: "resize", bounds });
      thread.bounds = bounds;
      return thread.client;
    }
    endThread();
    const { captureFile, patience } = needs;
    const client = startCaptureThread(
      { ffmpeg, captureFile, bounds, patience },
      {
        onStatus(next, changed) {
          if (thread?.client !== client) return;
          status = next;
          if (next.phase === "recording") {
            recordsSinceMs ??= Date.now();
            if (next.choice === offers.newest()) choices = 0;
          }
          if (changed) needs.onChanged();
        },
        onRunEnded: (why, againInMs) => needs.log("capture ended", endedSaid(why, againInMs)),
        onStale: () => chooseLater(true),
        onDied: (why) => died(client, why),
      },
    );
    thread = { client, ffmpeg, bounds };
    for (const [id, fromMs] of holds) client.tell({ type: "hold", id, fromMs });
    return client;
  };
  const keepCounts = () => {
    before.restarts += status?.restarts ?? 0;
    before.lostSeconds += status?.lostSeconds ?? 0;
    status = undefined;
  };
  const endThread = () => {
    if (thread === undefined) return;
    keepCounts();
    closing = Promise.all([closing, thread.client.close()]).then(() => undefined);
    thread = undefined;
  };
  const died = (client: ThreadClient, why: string) => {
    if (thread?.client !== client) return;
    keepCounts();
    before.restarts += 1;
    thread = undefined;
    deaths += 1;
    needs.log("capture thread died", why);
    const inMs = backOffMs(deaths, needs.patience);
    // Its ffmpeg ends by the broken pipe; one that is stopped cannot.
    closing = endOrphans(needs.captureFile).then(() => undefined);
    refusal = {
      refused: "The capture failed from inside; it begins anew by itself",
      tried: offers.choiceAt()?.tried ?? [],
    };
    if (isWanted) plan(inMs, { anew: false });
    needs.onChanged();
  };
  const plan = (inMs: number, options: { anew: boolean }) => {
    clearTimeout(again);
    again = setTimeout(() => {
      if (isWanted) void begin(options);
    }, inMs).unref();
  };
  const chooseLater = (firstAtOnce: boolean) => {
    if (!isWanted || choosing !== undefined || again !== undefined) return;
    plan(firstAtOnce && choices === 0 ? 0 : backOffMs(choices, { ...needs.patience, ...chooseAgain }), { anew: true });
    choices += 1;
  };

  const wishWith = (ffmpeg: Ffmpeg): CaptureWish => ({ ffmpeg, settings: needs.settings(), ...needs.system });
  const capture = (ffmpeg: string, chosen: Choice) =>
    startThread(ffmpeg).tell({ type: "capture", offer: offers.offer(chosen) });
  const captureWhatWaits = () => {
    const chosen = waiting;
    if (chosen === undefined || holds.size > 0 || cuts.size > 0) return;
    waiting = undefined;
    if (thread !== undefined && isWanted) capture(thread.ffmpeg, chosen);
  };
  const choose = async (options: { anew: boolean }, signal: AbortSignal): Promise<void> => {
    const found = await needs.ffmpeg();
    if (signal.aborted) return;
    if (found.ffmpeg === undefined) {
      refusal = { refused: found.says, tried: [] };
      return;
    }
    const { path } = found.ffmpeg;
    let guess: Choice | undefined;
    /** Where nothing captures yet, a moment in a picture that could be better is worth more than none. */
    const meanwhile = (guessed: Choice) => {
      if (options.anew || signal.aborted || status?.phase === "recording") return;
      guess = guessed;
      void closing.then(() => {
        if (guess !== undefined && !signal.aborted) capture(path, guess);
      });
    };
    const chosen = await needs.probe.choose(wishWith(found.ffmpeg), { ...options, meanwhile, signal });
    if (signal.aborted) return;
    const captures = guess !== undefined && status?.phase === "recording";
    guess = undefined;
    refusal = "refused" in chosen && !captures ? chosen : undefined;
    if ("refused" in chosen) return;
    await closing;
    if (signal.aborted) return;
    waiting = captures ? chosen : undefined;
    if (captures) captureWhatWaits();
    else capture(path, chosen);
  };
  const begin = async (options: { anew: boolean }): Promise<void> => {
    const wish = JSON.stringify(needs.settings());
    if (choosing?.wish === wish) return choosing.done;
    clearTimeout(again);
    again = undefined;
    abort?.abort();
    const mine = new AbortController();
    abort = mine;
    const done = choose(options, mine.signal).catch((error: unknown) => {
      refusal = { refused: `The capture cannot be chosen: ${(error as Error).message}`, tried: [] };
    });
    choosing = { wish, done };
    needs.onChanged();
    await done;
    if (abort !== mine) return;
    choosing = undefined;
    if (refusal !== undefined) chooseLater(false);
    needs.onChanged();
  };
  const endThreadWhenFree = () => {
    if (!isWanted && holds.size === 0 && cuts.size === 0) endThread();
  };

  const state = (): RecorderState =>
    stateOf({
      isWanted,
      isChoosing: choosing !== undefined,
      refusal,
      status,
      before,
      choice: offers.choiceAt(status?.choice),
    });
  const noFootage = (said: string, { toMs }: CutOrder) =>
    new NoFootage(whyNone({ said, toMs, recordsSinceMs, when: needs.settings().when, state: state() }));
  return {
    name: "ffmpeg",
    state,
    async prepare(signal) {
      const found = await needs.ffmpeg().catch(() => undefined);
      if (found?.ffmpeg === undefined || signal.aborted) return;
      await needs.probe.choose(wishWith(found.ffmpeg), { ahead: true, signal });
    },
    async start() {
      if (!isWanted) recordsSinceMs = undefined;
      isWanted = true;
      await begin({ anew: false });
    },
    async stop() {
      isWanted = false;
      clearTimeout(again);
      again = undefined;
      abort?.abort();
      choosing = refusal = waiting = undefined;
      choices = 0;
      await thread?.client.rest();
      if (holds.size === 0) await Promise.allSettled(cuts);
      endThreadWhenFree();
      await closing;
      needs.onChanged();
    },
    hold(id, fromMs) {
      holds.set(id, fromMs);
      thread?.client.tell({ type: "hold", id, fromMs });
    },
    release(id) {
      holds.delete(id);
      thread?.client.tell({ type: "release", id });
      captureWhatWaits();
      endThreadWhenFree();
    },
    async cut(order: CutOrder) {
      const captures = thread !== undefined && status !== undefined && status.phase !== "idle";
      if (isWanted && !captures) await Promise.race([choosing?.done, until(order.toMs + cutPatienceMs)]);
      if (thread === undefined) throw noFootage("Nothing was captured", order);
      const cut = thread.client.cut(order);
      cuts.add(cut);
      try {
        return await cut;
      } catch (error) {
        throw error instanceof NoFootage ? noFootage(error.message, order) : error;
      } finally {
        cuts.delete(cut);
        captureWhatWaits();
        endThreadWhenFree();
      }
    },
    choices: () => refusal?.tried ?? offers.choiceAt()?.tried ?? [],
  };
}

const until = (ms: number) => new Promise<void>((go) => setTimeout(go, Math.max(0, ms - Date.now())).unref());
