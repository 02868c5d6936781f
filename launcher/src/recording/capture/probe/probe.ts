// Chooses how to capture: uses the saved choice, or tries sources and encoders.
import { stat } from "node:fs/promises";
import { type CaptureChoice, createChoice, type ProbeRefusal, stillProbingNotice } from "./choice.ts";
import { expectedSize } from "./commands.ts";
import {
  captureSpec,
  createDeviceLister,
  createRefusal,
  errorMessage,
  findWorkingSound,
  type ProbeRequest,
  requestPlatform,
  tryAllSources,
} from "./probe-trials.ts";
import { createSavedChoice, type SavedChoice } from "./saved-choice.ts";
import { findSources, type Source } from "./source.ts";

export type { ProbeRequest } from "./probe-trials.ts";

type ChooseOptions = {
  /** Discards the saved choice because it failed in use. */
  readonly ignoreSaved?: boolean;
  /** Probes at the lowest priority because nothing waits for the result, and looks again for missing sound. */
  readonly inAdvance?: boolean;
  /** Called if the probe takes long, with an untried choice that works on most machines. */
  readonly onGuess?: (guess: CaptureChoice) => void;
  readonly signal?: AbortSignal;
};

export type Probe = {
  /**
   * Returns the last choice if request, ffmpeg, screen and window are unchanged. Otherwise probes, which takes 2 to 10 s. A
   * probe in progress is awaited. Refusals are not cached. Never rejects.
   */
  choose(request: ProbeRequest, options?: ChooseOptions): Promise<CaptureChoice | ProbeRefusal>;
};

type ChoiceInProgress = {
  readonly signal: AbortSignal | undefined;
  readonly answer: Promise<CaptureChoice | ProbeRefusal>;
  isDone: boolean;
};

/** Guesses a choice for immediate use: nearly every ffmpeg has this encoder, and nearly every machine is fast enough for it. */
function guessChoice(request: ProbeRequest, sources: readonly Source[]): CaptureChoice | undefined {
  const [source] = sources;
  if (source === undefined) return undefined;
  const encoder = { name: "libx264", preset: "ultrafast", device: null } as const;
  const spec = { ...captureSpec(request, source), encoder };
  const warnings = [stillProbingNotice];
  return createChoice(spec, expectedSize(spec), { source: source.name, warnings, tried: [], degraded: null });
}

/** Contains everything that affects the choice, except the window's id and title, which change when a game is started again. */
async function cacheKey({ ffmpeg, settings }: ProbeRequest, sources: readonly Source[]): Promise<string> {
  const { mtimeMs, size } = await stat(ffmpeg.path);
  const { window, frameRate, height, quality, sound } = settings;
  const inputs = sources.map((source) => [{ ...source.input, window: null }, source.size]);
  return JSON.stringify([ffmpeg.path, mtimeMs, size, window, frameRate, height, quality, sound, inputs]);
}

/** Returns true for full quality without warnings about the picture: other results may be better next time. */
const isWorthSaving = ({ level, warnings }: CaptureChoice) =>
  level === 0 && warnings.every((warning) => /sound/.test(warning));

/** `file` keeps the choice across restarts. */
export function createProbe(file?: string): Probe {
  const saved: SavedChoice | undefined = file === undefined ? undefined : createSavedChoice(file);
  const recent = new Map<string, ChoiceInProgress>();

  const find = async (key: string, request: ProbeRequest, sources: readonly Source[], options: ChooseOptions) => {
    const { ignoreSaved = false, inAdvance = false, signal } = options;
    if (ignoreSaved) saved?.remove();
    const platform = requestPlatform(request);
    const savedChoice = saved?.load({ key, sources, platform, captureSpec: (source) => captureSpec(request, source) });
    if (savedChoice !== undefined) return savedChoice;
    const guess = guessChoice(request, sources);
    if (guess !== undefined) options.onGuess?.(guess);
    const priority = { ...(inAdvance ? {} : { urgent: true as const }), ...(signal && { signal }) };
    const choice = await tryAllSources({ request, tried: [], priority }, sources);
    if (!("refused" in choice) && isWorthSaving(choice)) saved?.save({ key, sources }, choice);
    return choice;
  };
  const choose = async (request: ProbeRequest, options: ChooseOptions): Promise<CaptureChoice | ProbeRefusal> => {
    const { ffmpeg, settings, display, wayland } = request;
    const found = await findSources({
      platform: requestPlatform(request),
      display,
      wayland,
      window: settings.window,
      listDevices: createDeviceLister(ffmpeg),
    });
    if ("refused" in found) return { ...found, tried: [] };
    const key = await cacheKey(request, found.sources);
    const exactKey = JSON.stringify([key, found.sources.map(({ input }) => input)]);
    const earlier = recent.get(exactKey);
    if (earlier !== undefined && !options.ignoreSaved) {
      const guess = earlier.isDone ? undefined : guessChoice(request, found.sources);
      if (guess !== undefined) options.onGuess?.(guess);
      const answer = await earlier.answer;
      if (!earlier.signal?.aborted) return answer;
    }
    const result = find(key, request, found.sources, options).catch((error) => createRefusal(errorMessage(error), []));
    const choosing: ChoiceInProgress = { signal: options.signal, answer: result, isDone: false };
    // Only one request is in use at a time, so other choices are not kept.
    recent.clear();
    recent.set(exactKey, choosing);
    const answer = await choosing.answer;
    choosing.isDone = true;
    if ("refused" in answer && recent.get(exactKey) === choosing) recent.delete(exactKey);
    return answer;
  };
  const chooseInAdvance = async (
    request: ProbeRequest,
    options: ChooseOptions,
  ): Promise<CaptureChoice | ProbeRefusal> => {
    const choice = await choose(request, options);
    if ("refused" in choice || choice.sound || request.settings.sound === "off") return choice;
    const { signal } = options;
    const sound = await findWorkingSound({ request, tried: [], priority: signal ? { signal } : {} });
    return sound === null ? choice : choose(request, { ...options, ignoreSaved: true });
  };

  return {
    choose: (request, options = {}) =>
      (options.inAdvance ? chooseInAdvance : choose)(request, options).catch((error: unknown) =>
        createRefusal(errorMessage(error), []),
      ),
  };
}
