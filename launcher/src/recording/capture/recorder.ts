// The recorder: decides by the settings which backend captures, and when.
import { dirname, join } from "node:path";
import type { RecorderSettings } from "@kit/contract";
import type { FoundFfmpeg } from "../ffmpeg/find.ts";
import type { ObsBackend } from "../obs/obs-backend.ts";
import { type CaptureBackend, type CutRequest, type Footage, NoFootage } from "./backend.ts";
import { createBackendSwitch } from "./backend-switch.ts";
import { createProbe, type Probe } from "./probe/probe.ts";
import { idleState, offState } from "./recorder-state.ts";
import { runTestRecording, type TestRecordingResult } from "./test-recording.ts";
import { FfmpegBackend } from "./thread/ffmpeg-backend.ts";
import { killOrphans } from "./thread/orphans.ts";
import { type CaptureTimeouts, captureTimeouts } from "./thread/watchdogs.ts";

type PreparationOptions = {
  readonly delayMs: number;
  /** Checked after the delay. */
  readonly isUseful: () => boolean;
  /** Never rejects. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
};

/** Prepares the capture in advance, so that the first moment of a game does not wait for it. */
function createPreparation({ delayMs, isUseful, prepare }: PreparationOptions) {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let prepared: Promise<unknown> = Promise.resolve();
  return {
    /** Starts after the delay. A second call starts the delay again. */
    schedule() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isUseful()) prepared = Promise.all([prepared, prepare(stopped.signal)]);
      }, delayMs).unref();
    },
    /** Resolves when no preparation is running. */
    async stop() {
      clearTimeout(timer);
      stopped.abort();
      await prepared;
    },
  };
}

type ObsEvents = { readonly onChanged: () => void; readonly onAvailable: (available: boolean) => void };

export type RecorderDeps = {
  readonly settings: () => RecorderSettings;
  /** Called at each start of a capture. */
  readonly ffmpeg: () => Promise<FoundFfmpeg>;
  /** Creates the OBS backend; left out if OBS is not supported. */
  readonly obs?: (events: ObsEvents) => ObsBackend;
  readonly system: { readonly display: string | undefined; readonly wayland: boolean };
  /** File in the data folder that records the running ffmpeg, so that the next start can kill it if it was left behind. */
  readonly captureFile: string;
  /** Called if `state()` changed in more than numbers. */
  readonly onChanged: () => void;
  readonly log: (what: string, detail: string) => void;
  /** The following are for tests. */
  readonly probe?: Pick<Probe, "choose">;
  readonly timeouts?: CaptureTimeouts;
  readonly quietMs?: number;
  readonly graceMs?: number;
  readonly prepareMs?: number;
};

export type Recorder = Pick<CaptureBackend, "state" | "hold" | "release" | "cut" | "probeResults"> & {
  /** Kills a capture that an earlier launcher left behind, then starts as the settings say. Never rejects. */
  start(): Promise<void>;
  /** Stops everything. Waiting cuts use the footage there is; held footage is discarded. */
  stop(): Promise<void>;
  /** Notes an event of a game: with `automatic`, the capture runs for ten more minutes. */
  markGameActive(): void;
  /** Notes the end of a game: with `automatic`, the capture stops as soon as no footage is held. */
  markGameEnded(): void;
  /** Applies changed settings, or a changed OBS password. */
  applySettings(): void;
  /** Records three seconds exactly as a clip is recorded, whatever `when` is set to, and writes them to `file`. Never rejects. */
  recordTest(file: string): Promise<TestRecordingResult>;
};

/** Without an event for this long, the game is over or nobody plays it. */
const quietAfterMs = 600_000;
/** Footage stays available for the last events of a game. */
const graceAfterMs = 15_000;
/** The launcher's own start must not be slowed down. */
const prepareAfterMs = 1_000;

export function createRecorder(deps: RecorderDeps): Recorder {
  const { settings, log, captureFile, quietMs = quietAfterMs, graceMs = graceAfterMs } = deps;
  let found: FoundFfmpeg | undefined;
  let isRunning = false;
  let isGameActive = false;
  let testing: Promise<TestRecordingResult> | undefined;
  let endTimer: NodeJS.Timeout | undefined;

  const onBackendChanged = () => {
    backends.stopUnneeded();
    deps.onChanged();
  };
  const ffmpeg = new FfmpegBackend({
    ...deps,
    probe: deps.probe ?? createProbe(join(dirname(captureFile), "capture-choice.json")),
    timeouts: deps.timeouts ?? captureTimeouts,
    onChanged: onBackendChanged,
  });
  const obs = deps.obs?.({ onChanged: onBackendChanged, onAvailable: () => update() });
  const backends = createBackendSwitch({ onChanged: onBackendChanged, now: Date.now });

  const wantsCapture = () => {
    if (!isRunning) return false;
    if (testing !== undefined || settings().when === "always") return true;
    const mayContinue = backends.current() !== undefined && backends.isHeld();
    return settings().when === "automatic" && (isGameActive || mayContinue);
  };
  const wantedBackend = (): CaptureBackend => {
    const { backend } = settings();
    if (obs === undefined || backend === "ffmpeg") return ffmpeg;
    return backend === "obs" || obs.isAvailable() ? obs : ffmpeg;
  };
  const update = () => backends.switchTo(wantsCapture() ? wantedBackend() : undefined);
  const endGameAfter = (ms: number) => {
    clearTimeout(endTimer);
    endTimer = setTimeout(() => {
      isGameActive = false;
      update();
    }, ms).unref();
  };
  const updateObsConnection = () => {
    const { when, backend } = settings();
    if (when === "never" || backend === "ffmpeg") obs?.disconnect();
    else obs?.connect();
  };
  const preparation = createPreparation({
    delayMs: deps.prepareMs ?? prepareAfterMs,
    isUseful() {
      const isIdle = isRunning && settings().when !== "never" && backends.current() === undefined;
      return isIdle && wantedBackend() === ffmpeg;
    },
    prepare: (signal) => ffmpeg.prepare(signal),
  });
  const state = () => {
    const current = backends.current();
    if (current !== undefined) return current.state();
    const { restarts, lostSeconds } = ffmpeg.state();
    if (settings().when === "never") return offState({ restarts, lostSeconds });
    const isMissing = wantedBackend() === ffmpeg && found !== undefined && found.ffmpeg === undefined;
    return idleState({ restarts, lostSeconds }, isMissing ? found?.says : undefined);
  };

  return {
    state,
    probeResults: () => (backends.current() ?? ffmpeg).probeResults(),
    async start() {
      isRunning = true;
      for (const { pid } of await killOrphans(captureFile))
        log("orphan ended", `ffmpeg, process ${pid}, was left behind by an earlier launcher`);
      updateObsConnection();
      update();
      preparation.schedule();
      found = await deps.ffmpeg().catch(() => undefined);
      onBackendChanged();
    },
    async stop() {
      isRunning = false;
      clearTimeout(endTimer);
      await Promise.all([backends.stop(), preparation.stop()]);
      obs?.disconnect();
    },
    markGameActive() {
      isGameActive = true;
      endGameAfter(quietMs);
      update();
    },
    markGameEnded() {
      if (isGameActive) endGameAfter(graceMs);
    },
    applySettings() {
      updateObsConnection();
      update();
      void backends.restart();
      preparation.schedule();
      deps.onChanged();
    },
    hold: backends.hold,
    release(id) {
      backends.release(id);
      if (!backends.isHeld()) update();
    },
    async cut(request: CutRequest): Promise<Footage> {
      if (!backends.hasFootage()) throw new NoFootage(state().detail);
      return backends.cut(request);
    },
    recordTest(file) {
      testing ??= runTestRecording({ file, backends, state, startCapture: update }).finally(() => {
        testing = undefined;
        update();
      });
      return testing;
    },
  };
}
