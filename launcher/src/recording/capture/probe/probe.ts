// Chooses how to capture: uses the saved choice, or tries sources and encoders.

import { stat } from "node:fs/promises";
import { hasCode, type Message, type RecorderSettings, type TestRecording, textOf } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import { listFeatures } from "../../ffmpeg/features.ts";
import type { Ffmpeg } from "../../ffmpeg/find.ts";
import type { CapturedWindow, WindowsDesktop } from "../window.ts";
import { isWindowsFault } from "../windows-faults.ts";
import {
  type CaptureChoice,
  createChoice,
  createSavedChoice,
  moveChoice,
  type ProbeRefusal,
  reduceQuality,
  resizeChoice,
  type SavedChoice,
  stillProbingNotice,
} from "./choice.ts";
import { type CaptureSpec, expectedOutputSize, type Size } from "./commands.ts";
import { tryEncoders } from "./encoder-trials.ts";
import { createDeviceLister, findWorkingSound, wantsSound } from "./sound-source.ts";
import {
  type CaptureSource,
  type CaptureSources,
  findCaptureSources,
  followedSource,
  hasWindowHandles,
} from "./source.ts";
import type { StreamVerdict } from "./stream-trial.ts";

type ChooseOptions = {
  /** True if the saved choice failed in use. Then the probe discards it. */
  readonly ignoreSaved?: boolean;
  /**
   * True if nothing waits for the result yet. Then the probe looks again for sound that was missing.
   */
  readonly inAdvance?: boolean;
  /** Called with an untried choice that works on most machines, if the probe takes time. */
  readonly onGuess?: (guess: CaptureChoice) => void;
  readonly signal?: AbortSignal;
};

export type CaptureProbe = {
  /**
   * Resolves to the last choice if request, ffmpeg, screen and window are unchanged. Otherwise probes, which takes 2 to 10 s, or
   * waits for a probe in progress. If only the listed size changed, it is the same choice with the new size. Does not remember
   * refusals. Never rejects.
   */
  choose(request: ProbeRequest, options?: ChooseOptions): Promise<CaptureChoice | ProbeRefusal>;
};

type ChoiceInProgress = {
  readonly signal: AbortSignal | undefined;
  readonly answer: Promise<CaptureChoice | ProbeRefusal>;
  isDone: boolean;
};

const warningsOf = ({ warning }: CaptureSource): Message[] => (warning === undefined ? [] : [warning]);

/** Returns a choice for use at once: nearly every ffmpeg has its encoder, and nearly every machine is fast enough for it. */
function guessChoice(request: ProbeRequest, sources: readonly CaptureSource[]): CaptureChoice | undefined {
  const [source] = sources;
  if (source === undefined) return undefined;
  const encoder = { name: "libx264", preset: "ultrafast", device: null } as const;
  const spec = { ...captureSpec(request, source), encoder };
  const warnings = [...warningsOf(source), stillProbingNotice];
  return createChoice(spec, expectedOutputSize(spec), { source: source.name, warnings, tried: [], degraded: null });
}

/**
 * Returns all that affects the choice. That excludes the id and title of a window, which change when a game is started again, and the
 * handle and place of a monitor.
 */
async function cacheKey({ ffmpeg, settings }: ProbeRequest, sources: readonly CaptureSource[]): Promise<string> {
  const { mtimeMs, size } = await stat(ffmpeg.path);
  const { window, frameRate, height, quality, sound, microphone } = settings;
  const inputs = sources.map((source) => [
    { ...source.input, window: null, monitor: undefined, area: undefined },
    source.size,
    ...warningsOf(source),
  ]);
  return JSON.stringify([ffmpeg.path, mtimeMs, size, window, frameRate, height, quality, sound, microphone, inputs]);
}

/** How long a choice for the screen holds for a window without another look at the screen: as long as a game takes to start. */
const newMs = 10_000;

/**
 * Returns true for full quality without warnings about the picture. Anything else may turn out better the next time. GDI captures
 * some windows and not others.
 */
const isWorthSaving = ({ level, warnings, spec: { input } }: CaptureChoice) =>
  level === 0 &&
  !(input.kind === "gdigrab" && input.window !== null) &&
  warnings.every((warning) => hasCode(warning, "capture.no_sound"));

/** `file` keeps the choice for the next start of the launcher. */
export function createCaptureProbe(file?: string): CaptureProbe {
  const saved: SavedChoice | undefined = file === undefined ? undefined : createSavedChoice(file);
  const recent = new Map<string, ChoiceInProgress>();
  /** The last choice for the screen. */
  let newest: { readonly key: string; readonly atMs: number; readonly choice: CaptureChoice } | undefined;

  const find = async (
    key: string,
    request: ProbeRequest,
    sources: readonly CaptureSource[],
    options: ChooseOptions,
  ) => {
    const { ignoreSaved = false, signal } = options;
    if (ignoreSaved) saved?.remove();
    const platform = requestPlatform(request);
    const savedChoice = saved?.load({ key, sources, platform, captureSpec: (source) => captureSpec(request, source) });
    if (savedChoice !== undefined) return savedChoice;
    const guess = guessChoice(request, sources);
    if (guess !== undefined) options.onGuess?.(guess);
    const choice = await tryAllSources({ request, tried: [], signal }, sources);
    if (!("refused" in choice) && isWorthSaving(choice)) saved?.save({ key, sources }, choice);
    return choice;
  };
  const choose = async (request: ProbeRequest, options: ChooseOptions): Promise<CaptureChoice | ProbeRefusal> => {
    const found = await findSources(request);
    if ("refused" in found) return { ...found, tried: [] };
    const key = await cacheKey(request, found.sources);
    const exactKey = JSON.stringify([key, found.sources.map(({ input }) => input)]);
    const earlier = recent.get(exactKey);
    if (earlier !== undefined && !options.ignoreSaved) {
      const guess = earlier.isDone ? undefined : guessChoice(request, found.sources);
      if (guess !== undefined) options.onGuess?.(guess);
      const answer = await earlier.answer;
      const [{ listedSize } = {}] = found.sources;
      if (!earlier.signal?.aborted) return "refused" in answer ? answer : resizeChoice(answer, listedSize);
    }
    const result = find(key, request, found.sources, options).catch((error) => createRefusal(reasonOf(error), []));
    const choosing: ChoiceInProgress = { signal: options.signal, answer: result, isDone: false };
    // Only one request is in use at a time, so no other choice is worth keeping.
    recent.clear();
    recent.set(exactKey, choosing);
    const answer = await choosing.answer;
    choosing.isDone = true;
    if ("refused" in answer && recent.get(exactKey) === choosing) recent.delete(exactKey);
    return answer;
  };
  /** Uses what works for the screen. Where the screen cannot be captured, as with Xwayland, tries the window itself. */
  const chooseForWindow = async (request: ProbeRequest, options: ChooseOptions) => {
    const source = requestedWindow(request);
    const ofScreen = { ...request, followed: undefined };
    const key = JSON.stringify(ofScreen);
    if (source === undefined) {
      const choice = await choose(request, options);
      if (!("refused" in choice)) newest = { key, atMs: performance.now(), choice };
      return choice;
    }
    const isNew = newest?.key === key && performance.now() - newest.atMs < newMs && !options.ignoreSaved;
    if (newest !== undefined && isNew) return moveChoice(newest.choice, source);
    const onGuess = (guess: CaptureChoice) => options.onGuess?.(moveChoice(guess, source));
    const choice = await choose(ofScreen, { ...options, onGuess });
    return "refused" in choice ? choose(request, options) : moveChoice(choice, source);
  };
  const chooseInAdvance = async (
    request: ProbeRequest,
    options: ChooseOptions,
  ): Promise<CaptureChoice | ProbeRefusal> => {
    const choice = await choose(request, options);
    if ("refused" in choice || choice.sound || !wantsSound(request)) return choice;
    const { signal } = options;
    const sound = await findWorkingSound({ request, tried: [], signal });
    return sound === null ? choice : choose(request, { ...options, ignoreSaved: true });
  };

  return {
    choose: (request, options = {}) =>
      (options.inAdvance ? chooseInAdvance : chooseForWindow)(request, options).catch((error: unknown) =>
        createRefusal(reasonOf(error), []),
      ),
  };
}

/** Returns the followed window of an X display. On Windows, what works for the screen says nothing about a window. */
function requestedWindow(request: ProbeRequest): (CaptureSource & { size: Size }) | undefined {
  const { display, followed } = request;
  if (requestPlatform(request) === "win32" || display === undefined || followed === undefined) return undefined;
  const { width, height } = followed;
  return { ...followedSource(display, followed), size: { width, height } };
}

function findSources(request: ProbeRequest): Promise<CaptureSources> {
  const window = requestedWindow(request);
  if (window !== undefined) return Promise.resolve({ sources: [window] });
  const { ffmpeg, settings, display, wayland, followed, windowsDesktop } = request;
  return findCaptureSources({
    platform: requestPlatform(request),
    display,
    wayland,
    window: settings.window,
    monitor: settings.monitor,
    listDevices: createDeviceLister(ffmpeg),
    features: () => listFeatures(ffmpeg),
    hasWindowHandles: hasWindowHandles(ffmpeg),
    followed,
    windowsDesktop,
  });
}

export type ProbeRequest = {
  readonly ffmpeg: Ffmpeg;
  readonly settings: Pick<
    RecorderSettings,
    "window" | "monitor" | "frameRate" | "height" | "quality" | "sound" | "microphone"
  >;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** The window to capture, if one is followed. */
  readonly followed?: CapturedWindow | undefined;
  readonly windowsDesktop?: WindowsDesktop | undefined;
  /** For tests; the default is process.platform. */
  readonly platform?: NodeJS.Platform;
};

type ProbeResults = TestRecording["tried"];
type Trial = { readonly request: ProbeRequest; readonly tried: ProbeResults; readonly signal: AbortSignal | undefined };

const createRefusal = (why: Message, tried: ProbeResults): ProbeRefusal => ({
  refused: message("capture.screen_not_recorded", { why }),
  tried,
});

function captureSpec({ ffmpeg, settings }: ProbeRequest, source: CaptureSource): Omit<CaptureSpec, "encoder"> {
  return {
    input: source.input,
    inputSize: source.size,
    listedSize: source.listedSize,
    heightMax: settings.height,
    frameRate: settings.frameRate,
    quality: settings.quality,
    sound: null,
    microphone: settings.microphone,
    hasFpsMode: ffmpeg.hasFpsMode,
  };
}

/** Replaces a message of ffmpeg that nobody would understand. */
function explainReason(why: Message): Message {
  return textOf(why).includes("window_id") ? message("ffmpeg.too_old_for_window") : why;
}

type Attempt = { readonly choice: CaptureChoice } | { readonly why: Message };

/**
 * Tries a capture. If it is slow, tries it once more, because the machine may only have been busy, and then with lower and lower
 * quality until the machine keeps up. Accepts the lowest even if it is slow: a clip with few frames is better than none.
 */
async function trySpec(trial: Trial, spec: CaptureSpec, source: CaptureSource): Promise<Attempt> {
  const { request, tried, signal } = trial;
  const firstChoice = createChoice(spec, expectedOutputSize(spec), {
    source: source.name,
    warnings: [],
    tried,
    degraded: null,
  });
  const steps = [firstChoice, ...laterAttempts(firstChoice)];
  let size: Size | undefined;
  for (const [index, choice] of steps.entries()) {
    const { tryCapture } = await import("./stream-trial.ts");
    const verdict = await tryCapture(request.ffmpeg, choice.spec, signal);
    if (verdict.is === "bad") {
      tried.push({ what: describeChoice(choice), ok: false, why: explainReason(verdict.why) });
      return { why: explainReason(verdict.why) };
    }
    const isLast = index === steps.length - 1;
    tried.push({
      what: describeChoice(choice),
      ok: verdict.slow === null || isLast,
      why: describeVerdict(verdict, choice.frameRate),
    });
    // If the size of the input is unknown, the first stream shows it.
    size ??= { width: verdict.width, height: verdict.height };
    if (verdict.slow !== null && !isLast) continue;
    return {
      choice: {
        ...firstChoice,
        ...size,
        level: Math.max(0, index - 1),
        warnings: [...warningsOf(source), ...collectWarnings(verdict, request, spec)],
      },
    };
  }
  return { why: message("capture.nothing_tried") };
}

const describeChoice = ({ source, encoder, frameRate: rate, sound }: CaptureChoice) =>
  sound
    ? message("capture.attempt_with_sound", { source, encoder, rate })
    : message("capture.attempt", { source, encoder, rate });

/** Yields the first choice once more, and then each quality step down from it. */
function* laterAttempts(firstChoice: CaptureChoice): Generator<CaptureChoice> {
  yield firstChoice;
  for (let level = 1; ; level += 1) {
    const lower = reduceQuality(firstChoice, level);
    if (lower === undefined) return;
    yield lower;
  }
}

type GoodVerdict = Extract<StreamVerdict, { is: "good" }>;

function describeVerdict({ width, height, frameRate, black, slow }: GoodVerdict, requestedRate: number): Message {
  const arrived =
    slow ??
    (frameRate >= requestedRate * 0.97
      ? message("capture.every_frame_arrived")
      : message("capture.frame_rate", { rate: frameRate.toFixed(1) }));
  const picture = { width, height, arrived };
  return black ? message("capture.black_picture", picture) : message("capture.picture", picture);
}

function collectWarnings({ black, sound, slow }: GoodVerdict, request: ProbeRequest, spec: CaptureSpec): Message[] {
  const { settings } = request;
  const isFed = spec.sound?.kind === "pipe";
  const isWindows = requestPlatform(request) === "win32";
  const conditions: [is: boolean, warning: Message | false][] = [
    [black, message("capture.picture_was_black")],
    [settings.sound !== "off" && !sound, message("capture.no_sound")],
    [!isWindows && settings.sound === "game" && sound && !isFed, message("sound.not_separable")],
    [!isWindows && settings.microphone && !isFed, message("sound.microphone_not_separable")],
    [isWindows && wantsSound({ settings }) && !isFed, message("sound.no_own_program")],
    [slow !== null, slow !== null && message("capture.could_not_keep_up", { why: slow })],
  ];
  return conditions.flatMap(([is, warning]) => (is && warning !== false ? warning : []));
}

async function tryWithSound(trial: Trial, spec: CaptureSpec, source: CaptureSource): Promise<Attempt> {
  const first = await trySpec(trial, spec, source);
  if ("choice" in first || spec.sound === null || trial.signal?.aborted) return first;
  return trySpec(trial, { ...spec, sound: null }, source);
}

const isBlack = ({ warnings }: CaptureChoice) =>
  warnings.some((warning) => hasCode(warning, "capture.picture_was_black"));

/** Returns the first choice whose picture is not black, because another source may show it. Without one, a black one that may only be dark. */
async function tryAllSources(trial: Trial, sources: readonly CaptureSource[]): Promise<CaptureChoice | ProbeRefusal> {
  const { request, tried, signal } = trial;
  const sound = await findWorkingSound(trial);
  let why: Message = message("encoder.none_works");
  let blackChoice: CaptureChoice | undefined;
  for (const source of sources) {
    const spec = captureSpec(request, source);
    const picture = { size: expectedOutputSize(spec), frameRate: spec.frameRate, quality: spec.quality };
    for await (const { tried: said, encoder } of tryEncoders(
      request.ffmpeg,
      requestPlatform(request),
      picture,
      signal,
    )) {
      if (!tried.some(({ what }) => textOf(what) === textOf(said.what))) tried.push(said);
      if (encoder === null) continue;
      const attempt = await tryWithSound(trial, { ...spec, encoder, sound }, source);
      if ("choice" in attempt) {
        if (!isBlack(attempt.choice)) return { ...attempt.choice, tried };
        // GDI sees nothing of what the graphics card draws into a window.
        if (source.input.kind === "gdigrab" && source.input.window !== null) why = message("source.window_is_black");
        else blackChoice ??= attempt.choice;
        break;
      }
      why = attempt.why;
    }
  }
  if (signal?.aborted) return createRefusal(message("capture.test_cancelled"), tried);
  if (blackChoice !== undefined) return { ...blackChoice, tried };
  if (isWindowsFault(why)) return { refused: why, tried };
  const isWindow = request.followed !== undefined || request.settings.window !== null;
  return isWindow ? { refused: message("capture.window_not_recorded", { why }), tried } : createRefusal(why, tried);
}

const requestPlatform = ({ platform }: Pick<ProbeRequest, "platform">) => platform ?? process.platform;
