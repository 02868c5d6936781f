// Chooses how to capture: what is remembered to have worked, or what is found out by running it.
import { stat } from "node:fs/promises";
import { type Choice, choiceOf, type Refusal, stillChoosing } from "./choice.ts";
import { expectedSize } from "./commands.ts";
import {
  type CaptureWish,
  deviceLister,
  findWorkingSound,
  messageOf,
  orderOf,
  platformOf,
  refusalOf,
  tryAll,
} from "./probe-trials.ts";
import { type Remembered, rememberedIn } from "./remembered.ts";
import { findSources, type Source } from "./source.ts";

export type { CaptureWish } from "./probe-trials.ts";

type ChooseOptions = {
  /** The last choice failed in use: it is forgotten. */
  readonly anew?: boolean;
  /** Nobody waits for it yet: it runs at the lowest priority, and looks again for sound that was missing before. */
  readonly ahead?: boolean;
  /** Called where it takes long, with what works on most machines and was not tried on this one. */
  readonly meanwhile?: (guess: Choice) => void;
  readonly signal?: AbortSignal;
};

export type Probe = {
  /**
   * The last choice while wish, ffmpeg, screen and window are the same, else one made by running, which takes 2 to 10 s;
   * one that is being made is waited for. A refusal is never kept. Never rejects.
   */
  choose(wish: CaptureWish, options?: ChooseOptions): Promise<Choice | Refusal>;
};

type Choosing = {
  readonly signal: AbortSignal | undefined;
  readonly answer: Promise<Choice | Refusal>;
  isDone: boolean;
};

/** The moment that a person plays for may be now: nearly every ffmpeg has this encoder, and nearly every machine keeps up with it. */
function guessOf(wish: CaptureWish, sources: readonly Source[]): Choice | undefined {
  const [source] = sources;
  if (source === undefined) return undefined;
  const encoder = { name: "libx264", preset: "ultrafast", device: null } as const;
  const order = { ...orderOf(wish, source), encoder };
  const warnings = [stillChoosing];
  return choiceOf(order, expectedSize(order), { source: source.name, warnings, tried: [], degraded: null });
}

/** All that decides; not which window it is and what it is called now: a game that was started again has another. */
async function keyOf({ ffmpeg, settings }: CaptureWish, sources: readonly Source[]): Promise<string> {
  const { mtimeMs, size } = await stat(ffmpeg.path);
  const { window, frameRate, height, quality, sound } = settings;
  const inputs = sources.map((source) => [{ ...source.input, window: null }, source.size]);
  return JSON.stringify([ffmpeg.path, mtimeMs, size, window, frameRate, height, quality, sound, inputs]);
}

/** One that gave nothing up, and had nothing to say of the picture: another time it may be less, or better. */
const isWorthRemembering = ({ level, warnings }: Choice) =>
  level === 0 && warnings.every((warning) => /sound/.test(warning));

/** `file` keeps the choice over restarts. */
export function createProbe(file?: string): Probe {
  const remembered: Remembered | undefined = file === undefined ? undefined : rememberedIn(file);
  const kept = new Map<string, Choosing>();

  const find = async (key: string, wish: CaptureWish, sources: readonly Source[], options: ChooseOptions) => {
    const { anew = false, ahead = false, signal } = options;
    if (anew) remembered?.forget();
    const platform = platformOf(wish);
    const known = remembered?.recall({ key, sources, platform, orderOf: (source) => orderOf(wish, source) });
    if (known !== undefined) return known;
    const guess = guessOf(wish, sources);
    if (guess !== undefined) options.meanwhile?.(guess);
    const urgency = { ...(ahead ? {} : { awaited: true as const }), ...(signal && { signal }) };
    const choice = await tryAll({ wish, tried: [], urgency }, sources);
    if (!("refused" in choice) && isWorthRemembering(choice)) remembered?.keep({ key, sources }, choice);
    return choice;
  };
  const choose = async (wish: CaptureWish, options: ChooseOptions): Promise<Choice | Refusal> => {
    const { ffmpeg, settings, display, wayland } = wish;
    const found = await findSources({
      platform: platformOf(wish),
      display,
      wayland,
      window: settings.window,
      listDevices: deviceLister(ffmpeg),
    });
    if ("refused" in found) return { ...found, tried: [] };
    const key = await keyOf(wish, found.sources);
    const exact = JSON.stringify([key, found.sources.map(({ input }) => input)]);
    const before = kept.get(exact);
    if (before !== undefined && !options.anew) {
      const guess = before.isDone ? undefined : guessOf(wish, found.sources);
      if (guess !== undefined) options.meanwhile?.(guess);
      const answer = await before.answer;
      if (!before.signal?.aborted) return answer;
    }
    const finding = find(key, wish, found.sources, options).catch((error) => refusalOf(messageOf(error), []));
    const choosing: Choosing = { signal: options.signal, answer: finding, isDone: false };
    // One wish at a time is in use: what was chosen for another is not worth keeping.
    kept.clear();
    kept.set(exact, choosing);
    const answer = await choosing.answer;
    choosing.isDone = true;
    if ("refused" in answer && kept.get(exact) === choosing) kept.delete(exact);
    return answer;
  };
  const chooseAhead = async (wish: CaptureWish, options: ChooseOptions): Promise<Choice | Refusal> => {
    const choice = await choose(wish, options);
    if ("refused" in choice || choice.sound || wish.settings.sound === "off") return choice;
    const { signal } = options;
    const sound = await findWorkingSound({ wish, tried: [], urgency: signal ? { signal } : {} });
    return sound === null ? choice : choose(wish, { ...options, anew: true });
  };

  return {
    choose: (wish, options = {}) =>
      (options.ahead ? chooseAhead : choose)(wish, options).catch((error: unknown) => refusalOf(messageOf(error), [])),
  };
}
