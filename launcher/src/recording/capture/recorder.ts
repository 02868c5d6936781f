// The recorder as the rest of recording sees it: chooses who captures, and when, by the settings.
import { dirname, join } from "node:path";
import type { RecorderSettings } from "@kit/contract";
import type { FoundFfmpeg } from "../ffmpeg/find.ts";
import type { ObsBackend } from "../obs/obs-backend.ts";
import { type Backend, type CutOrder, type Footage, NoFootage } from "./backend.ts";
import { createBackendSwitch } from "./backend-switch.ts";
import { createProbe, type Probe } from "./probe/probe.ts";
import { idleState, offState } from "./recorder-state.ts";
import { runTest, type TestResult } from "./test-recording.ts";
import { createFfmpegBackend } from "./thread/ffmpeg-backend.ts";
import { endOrphans } from "./thread/orphans.ts";
import { type Patience, patience } from "./thread/watchdogs.ts";

type PreparationNeeds = {
  readonly afterMs: number;
  /** Asked when it is time. */
  readonly isOfUse: () => boolean;
  /** Never rejects. */
  readonly prepare: (signal: AbortSignal) => Promise<void>;
};

type Preparation = {
  /** Counts from now, again where it did already. */
  soon(): void;
  /** Resolves when nothing of it runs. */
  stop(): Promise<void>;
};

/** Finds out how to capture before a game's first moment asks for it, once the launcher's own start is over. */
function createPreparation({ afterMs, isOfUse, prepare }: PreparationNeeds): Preparation {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let prepared: Promise<unknown> = Promise.resolve();
  return {
    soon() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isOfUse()) prepared = Promise.all([prepared, prepare(ended.signal)]);
      }, afterMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      ended.abort();
      await prepared;
    },
  };
}

type ObsEvents = { readonly onChanged: () => void; readonly onAvailable: (available: boolean) => void };

export type RecorderNeeds = {
  readonly settings: () => RecorderSettings;
  /** Asked at each start of a capture. */
  readonly ffmpeg: () => Promise<FoundFfmpeg>;
  /** Makes the OBS backend; left out where OBS cannot be. */
  readonly obs?: (events: ObsEvents) => ObsBackend;
  readonly system: { readonly display: string | undefined; readonly wayland: boolean };
  /** In the data directory: notes the running capture's process, so that the next start can end one that was left behind. */
  readonly captureFile: string;
  /** `state()` says something else now. Not called for figures alone. */
  readonly onChanged: () => void;
  readonly log: (what: string, detail: string) => void;
  /** A test's own. */
  readonly probe?: Pick<Probe, "choose">;
  readonly patience?: Patience;
  readonly quietMs?: number;
  readonly graceMs?: number;
  readonly prepareMs?: number;
};

export type Recorder = Pick<Backend, "state" | "hold" | "release" | "cut" | "choices"> & {
  /** Ends a capture that an earlier launcher left behind, then begins as the settings say. Never rejects. */
  start(): Promise<void>;
  /** Ends everything and every process. Cuts that wait take what there is; what was held is gone. */
  stop(): Promise<void>;
  /** An event of a game arrived: in `automatic` the capture begins, or goes on for ten minutes from now. */
  gameActive(): void;
  /** The game is over: in `automatic` the capture ends as soon as nothing is held. */
  gameEnded(): void;
  /** The settings, or OBS's password, are others now. */
  settingsChanged(): void;
  /** Records three seconds by the very same way, whatever `when` says, and writes them to `file`. Never rejects. */
  test(file: string): Promise<TestResult>;
};

/** After this long without an event the game is over, or nobody plays it. */
const quietAfterMs = 600_000;
/** What a game sends while it ends still finds its footage. */
const graceAfterMs = 15_000;
/** The launcher's own start comes first. */
const prepareAfterMs = 1_000;

export function createRecorder(needs: RecorderNeeds): Recorder {
  const { settings, log, captureFile, quietMs = quietAfterMs, graceMs = graceAfterMs } = needs;
  const holds = new Set<string>();
  let found: FoundFfmpeg | undefined;
  let isRunning = false;
  let isActive = false;
  let testing: Promise<TestResult> | undefined;
  let ending: NodeJS.Timeout | undefined;

  const changed = () => {
    relay.changed();
    needs.onChanged();
  };
  const ffmpeg = createFfmpegBackend({
    ...needs,
    probe: needs.probe ?? createProbe(join(dirname(captureFile), "capture-choice.json")),
    patience: needs.patience ?? patience,
    onChanged: changed,
  });
  const obs = needs.obs?.({ onChanged: changed, onAvailable: () => apply() });
  const relay = createBackendSwitch({ onChanged: changed, now: Date.now });

  const wantsCapture = () => {
    if (!isRunning) return false;
    if (testing !== undefined || settings().when === "always") return true;
    return settings().when === "automatic" && (isActive || (relay.current() !== undefined && holds.size > 0));
  };
  const chosen = (): Backend => {
    const wanted = settings().backend;
    if (obs === undefined || wanted === "ffmpeg") return ffmpeg;
    return wanted === "obs" || obs.available() ? obs : ffmpeg;
  };
  const apply = () => relay.use(wantsCapture() ? chosen() : undefined);
  const endAfter = (ms: number) => {
    clearTimeout(ending);
    ending = setTimeout(() => {
      isActive = false;
      apply();
    }, ms).unref();
  };
  const lookForObs = () => {
    const { when, backend } = settings();
    if (when === "never" || backend === "ffmpeg") obs?.leave();
    else obs?.look();
  };
  const preparation = createPreparation({
    afterMs: needs.prepareMs ?? prepareAfterMs,
    isOfUse: () => isRunning && settings().when !== "never" && relay.current() === undefined && chosen() === ffmpeg,
    prepare: ffmpeg.prepare,
  });
  const state = () => {
    const current = relay.current();
    if (current !== undefined) return current.state();
    const { restarts, lostSeconds } = ffmpeg.state();
    if (settings().when === "never") return offState({ restarts, lostSeconds });
    const missing = chosen() === ffmpeg && found !== undefined && found.ffmpeg === undefined ? found.says : undefined;
    return idleState({ restarts, lostSeconds }, missing);
  };

  return {
    state,
    choices: () => (relay.current() ?? ffmpeg).choices(),
    async start() {
      isRunning = true;
      for (const { pid } of await endOrphans(captureFile))
        log("orphan ended", `ffmpeg, process ${pid}, was left behind by an earlier launcher`);
      lookForObs();
      apply();
      preparation.soon();
      found = await needs.ffmpeg().catch(() => undefined);
      changed();
    },
    async stop() {
      isRunning = false;
      clearTimeout(ending);
      for (const id of holds) relay.release(id);
      holds.clear();
      await Promise.all([relay.end(), preparation.stop()]);
      obs?.leave();
    },
    gameActive() {
      isActive = true;
      endAfter(quietMs);
      apply();
    },
    gameEnded() {
      if (isActive) endAfter(graceMs);
    },
    settingsChanged() {
      lookForObs();
      apply();
      void relay.again();
      preparation.soon();
      needs.onChanged();
    },
    hold(id, fromMs) {
      holds.add(id);
      relay.hold(id, fromMs);
    },
    release(id) {
      holds.delete(id);
      relay.release(id);
      if (holds.size === 0) apply();
    },
    async cut(order: CutOrder): Promise<Footage> {
      if (!relay.hasFootage()) throw new NoFootage(state().detail);
      return relay.cut(order);
    },
    test(file) {
      testing ??= runTest({ file, relay, state, begin: apply }).finally(() => {
        testing = undefined;
        apply();
      });
      return testing;
    },
  };
}
