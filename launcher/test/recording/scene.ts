// Support: a screen with the clock window and a launcher that records it.
import {
  type Client,
  type Clip,
  changeRecorder,
  changeRecordingRule,
  createClient,
  getRecorder,
  hasCode,
  listClips,
  type RecorderSettings,
  type RecorderState,
  type RecordingRule,
} from "@kit/contract";
import { type ClockWindow, openClockWindow } from "../../../tools/engines/clock-window.ts";
import { openDisplay } from "../../../tools/engines/display.ts";
import { type LauncherProcess, type ProcessStart, startLauncherProcess } from "../support/own-launcher.ts";
import { capturesOf, type Process } from "../support/process-table.ts";
import { until } from "../support/until.ts";

export type Stage = {
  /** The name of the display, e.g. `:7`. */
  readonly display: string;
  /** The process of the X server. */
  readonly serverPid: number;
  readonly window: ClockWindow;
  /** All processes that capture this screen. */
  captures(): Process[];
};

export type Scene = Stage & {
  readonly launcher: LauncherProcess;
  readonly client: Client;
  recorder(): Promise<RecorderState>;
  /** All clips so far, oldest first. */
  clips(): Promise<Clip[]>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The size of the screen and of the window, which fills it. */
export type StageSize = { readonly width?: number; readonly height?: number; readonly framesPerSecond?: number };

export type RuleChange = Partial<Omit<RecordingRule, "eventId" | "changed">>;

/** A screen that shows the clock. */
export async function openStage(size: StageSize = {}): Promise<Stage & AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  const { width = 1280, height = 720, framesPerSecond = 60 } = size;
  const display = await openDisplay(`${width}x${height}`);
  opened.defer(display.close);
  const window = await openClockWindow({ display: display.name, width, height, framesPerSecond });
  opened.defer(window.close);
  const open = opened.move();
  return {
    display: display.name,
    serverPid: display.pid,
    window,
    captures: () => capturesOf(display.name),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Starts a launcher on that stage with the default recorder settings. The stage stays open when the launcher ends. */
export async function playOn(stage: Stage, start: ProcessStart = {}): Promise<Scene> {
  const launcher = await startLauncherProcess({ ...start, env: { ...start.env, DISPLAY: stage.display } });
  const client = createClient(`http://127.0.0.1:${launcher.port}`, () => ({
    authorization: `Bearer ${launcher.secret()}`,
  }));
  return {
    ...stage,
    launcher,
    client,
    recorder: async () => (await client.call(getRecorder)).state,
    clips: () => allClips(client),
    [Symbol.asyncDispose]: () => launcher[Symbol.asyncDispose](),
  };
}

/** Opens a stage and a launcher on it. */
export async function openScene(start: ProcessStart = {}, size: StageSize = {}): Promise<Scene> {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await openStage(size));
  const scene = opened.use(await playOn(stage, start));
  const open = opened.move();
  return { ...scene, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** The screen, because the launcher would take the clock window for the window of this game. */
const steady = { when: "always", backend: "ffmpeg", picture: "screen", sound: "off" } as const;

/** Sets the recorder to record always, and waits until it holds that much footage. */
export async function record(
  scene: Pick<Scene, "client" | "recorder">,
  settings: Partial<RecorderSettings> = {},
  heldSeconds = 1,
): Promise<void> {
  await scene.client.call(changeRecorder, { body: { ...steady, ...settings } });
  await recording(scene, heldSeconds);
}

/** Waits until the recorder records with its chosen capture instead of a first guess, and holds that much footage. */
export function recording(scene: Pick<Scene, "recorder">, heldSeconds = 1): Promise<RecorderState> {
  let last = "nothing yet";
  let settledAtMs: number | undefined;
  const look = async () => {
    const state = await scene.recorder();
    last = JSON.stringify(state);
    if (state.state !== "recording" || hasCode(state.detail, "recorder.still_probing")) settledAtMs = undefined;
    else settledAtMs ??= performance.now();
    // Footage of the first guess does not count, because it may not fit into the same file.
    const ownSeconds = settledAtMs === undefined ? -1 : (performance.now() - settledAtMs) / 1_000;
    return Math.min(ownSeconds, state.heldSeconds) >= heldSeconds ? state : undefined;
  };
  return until(() => `a running capture; the recorder says ${last}`, look);
}

export const setRule = (scene: Pick<Scene, "client">, eventId: string, rule: RuleChange): Promise<RecordingRule> =>
  scene.client.call(changeRecordingRule, { body: { eventId, ...rule } });

export type Trigger = {
  readonly id: string;
  readonly eventId: string;
  /** The time that the trigger names. */
  readonly atMs: number;
  /** The time of the acknowledgement. */
  readonly arrivedMs: number;
};

/** Sends a recording trigger like a game. Resolves with its id when it is acknowledged. */
export async function trigger(launcher: LauncherProcess, eventId: string, atMs: number = Date.now()): Promise<Trigger> {
  const reply = await launcher.send("recording", { eventId, timestamp: new Date(atMs).toISOString() });
  if (reply.status !== 202) throw new Error(`${eventId} was answered ${reply.status}: ${reply.text}`);
  return { id: reply.json<{ id: string }>().id, eventId, atMs, arrivedMs: Date.now() };
}

async function allClips(client: Client): Promise<Clip[]> {
  const clips: Clip[] = [];
  for (;;) {
    const before = clips.at(-1)?.id;
    const page = await client.call(listClips, { query: { limit: 200, ...(before === undefined ? {} : { before }) } });
    clips.push(...page.clips);
    if (!page.more || page.clips.length === 0) return clips.reverse();
  }
}
