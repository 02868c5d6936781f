// Creates the parts of the recording slice: settings, rules, recorder, clip library, trims and exports.
import { dirname, join } from "node:path";
import { type Clip, type RecorderReport, type RecorderSettings, savedSeconds } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { log } from "../log.ts";
import type { Say } from "../reader-language.ts";
import type { Storage } from "../storage/storage.ts";
import { createDesktopFollower, watchMonitors } from "./capture/desktop-windows.ts";
import { GameCaptures, type GameCapturesDeps } from "./capture/game-captures.ts";
import { createObsBackend } from "./capture/obs/obs-backend.ts";
import { createCaptureProbe } from "./capture/probe/probe.ts";
import { Recorder } from "./capture/recorder.ts";
import { SoundChooser } from "./capture/sound/sound-chooser.ts";
import { followSystemSound } from "./capture/sound/tracks.ts";
import { createWindowsLister, createX11Lister } from "./capture/source-list.ts";
import type { ProcessesOf } from "./capture/target.ts";
import { FfmpegBackend } from "./capture/thread/ffmpeg-backend.ts";
import type { WindowsDesktop } from "./capture/window.ts";
import { createX11Follower } from "./capture/x11-follower.ts";
import { watchX11Monitors } from "./capture/x11-monitors.ts";
import { createClipNotices, type Desktop } from "./clip-notices.ts";
import { ClipFiles } from "./clips/clip-files.ts";
import { createClipStore } from "./clips/clip-store.ts";
import { createClipboard } from "./clips/clipboard.ts";
import { createClipLibrary } from "./clips/library.ts";
import { recoverClips } from "./clips/recovery.ts";
import { createRevealClip } from "./clips/reveal.ts";
import { createClipParts } from "./exports/clip-parts.ts";
import { createExports } from "./exports/exports.ts";
import { createFrames } from "./exports/frame.ts";
import { MediaFitter } from "./exports/media-fitter.ts";
import { type FoundFfmpeg, findFfmpeg } from "./ffmpeg/find.ts";
import { createFfmpegInstaller, findInstaller } from "./ffmpeg/install.ts";
import { createBoundedQueue } from "./jobs/bounded-queue.ts";
import type { ReceiptStatements } from "./jobs/job.ts";
import { createClipPictures } from "./jobs/pictures.ts";
import { loadRecordingRules } from "./plans/rule-store.ts";
import { createRecordingRules } from "./plans/rules.ts";
import { createReels } from "./reels/reels.ts";
import { createRetryingWrite } from "./retrying-write.ts";
import { loadRecorderSettings } from "./settings/setting-store.ts";
import { createRecorderSettings, passwordFileAt } from "./settings/settings.ts";
import { isScreenFilled } from "./shortcuts/full-screen.ts";
import { createHotkeys, type HotkeyName } from "./shortcuts/hotkeys.ts";
import { readIcon } from "./shortcuts/icon-pixels.ts";
import { showTrayIconOnBus } from "./shortcuts/status-notifier.ts";
import { Tray } from "./shortcuts/tray.ts";
import { openWindowsShortcuts } from "./shortcuts/windows-shortcuts.ts";
import { grabHotkeysOnX11 } from "./shortcuts/x11-hotkeys.ts";
import { showTrayIconOnX11 } from "./shortcuts/x11-tray.ts";
import { createTrimmer } from "./trim/trim.ts";

/** What recording needs from the launcher and its computer. */
export type RecordingEnvironment = {
  readonly storage: Storage;
  readonly now: () => number;
  /** The files and folders of recording in the data directory. */
  readonly dir: { readonly obsPassword: string; readonly capture: string; readonly networkCopies: string };
  readonly clipsDir: string;
  /** The ffmpeg that a person chose; undefined if nobody did. */
  readonly ffmpeg: string | undefined;
  readonly searchPath: string;
  readonly umask: number;
  readonly display: string | undefined;
  readonly isWayland: boolean;
  /** The address of the desktop's session bus. */
  readonly sessionBus?: string | undefined;
  readonly desktop: Desktop;
  /** Returns a message in the language of the system. */
  readonly say: Say;
  readonly gameName: (game: string) => string;
  /** Opens the dashboard in the browser, signed in. */
  readonly openDashboard: () => void;
  readonly stopKit: () => void;
  /** Path of Kit's icon, a PNG. */
  readonly icon: string;
  readonly processesOf: ProcessesOf;
  readonly isProcessRunning: (pid: number) => boolean;
  /** Undefined except on Windows. */
  readonly windowsDesktop?: WindowsDesktop | undefined;
  /** Returns the event ids of all recording triggers so far. */
  readonly knownIds: () => readonly string[];
  /** Returns the ids of the clips that posts need which are not sent yet. */
  readonly neededClips: () => Promise<ReadonlySet<string>>;
  readonly onChanged: (what: "clips" | "recorder") => void;
};

type RecordingComponentsDeps = RecordingEnvironment & {
  readonly stageById: (id: string) => Clip["stage"];
  /** Returns true while a moment may still join the clip. */
  readonly isGrowing: (id: string) => boolean;
  readonly onRecorderChanged: () => void;
  readonly onHotkey: (name: HotkeyName) => void;
  /** Returns false while recording is switched off for all games. */
  readonly isOnForAll: () => boolean;
};

/** Remembers which ffmpeg was found. While there is none, searches with each call: a person may have installed one. */
function createFfmpegFinder(options: Parameters<typeof findFfmpeg>[0]): () => Promise<FoundFfmpeg> {
  let search: Promise<FoundFfmpeg> | undefined;
  return async () => {
    search ??= findFfmpeg(options);
    const result = await search;
    if (result.ffmpeg === undefined) search = undefined;
    return result;
  };
}

function createSettingsAndRules(
  { storage, dir, knownIds, onChanged }: RecordingComponentsDeps,
  onSettings: (changed: readonly (keyof RecorderSettings)[]) => void,
) {
  const password = passwordFileAt(dir.obsPassword);
  const { write } = storage;
  const settings = createRecorderSettings({
    load: () => loadRecorderSettings(storage),
    // A smaller quota frees space, so a full disk must not prevent it.
    write: storage.writeFreeing,
    password,
    maxPreSeconds: () => rules.maxPreSeconds(),
    onChanged: onSettings,
  });
  const rules = createRecordingRules({
    load: () => loadRecordingRules(storage),
    write,
    knownIds,
    bufferSeconds: () => settings.current().bufferSeconds,
    onChanged: () => onChanged("recorder"),
  });
  return { settings, rules, password };
}

/** Settings that do not concern what is captured. */
const personalSettings: ReadonlySet<keyof RecorderSettings> = new Set([
  "clipNotice",
  "saveHotkey",
  "markHotkey",
  "trayIcon",
]);

function createCaptures(
  { display, isWayland, processesOf, isProcessRunning, windowsDesktop, dir, now }: RecordingComponentsDeps,
  settings: () => RecorderSettings,
  ffmpeg: () => Promise<FoundFfmpeg>,
  onChanged: () => void,
): GameCaptures {
  // Shared, because what works for one window works for all. The file keeps the choice for the next start.
  const probe = createCaptureProbe(join(dirname(dir.capture), "capture-choice.json"));
  return new GameCaptures({
    settings,
    follow: createFollower({ display, windowsDesktop }),
    processesOf,
    isProcessRunning,
    now,
    watchMonitors: createMonitorWatch({ display, windowsDesktop }),
    createBackend(number, target, game, onWindowRefused) {
      const sound = new SoundChooser({
        settings,
        game,
        processesOf,
        follow: followSystemSound(),
        onChanged: () => backend.applySound(),
      });
      const backend = new FfmpegBackend({
        settings,
        target,
        sound,
        ffmpeg,
        system: { display, wayland: isWayland, windowsDesktop },
        captureFile: number === 0 ? dir.capture : `${dir.capture}.${number}`,
        probe,
        onWindowRefused,
        onChanged,
        log: log.recorder,
      });
      return backend;
    },
    onChanged,
  });
}

type Screens = Pick<RecordingComponentsDeps, "display" | "windowsDesktop">;
function createMonitorWatch({ display, windowsDesktop }: Screens): GameCapturesDeps["watchMonitors"] {
  if (windowsDesktop !== undefined)
    return (watch) => watchMonitors({ listMonitors: windowsDesktop.listMonitors, ...watch });
  return display === undefined || display === "" ? undefined : (watch) => watchX11Monitors(display, watch);
}

function createFollower({ display, windowsDesktop }: Screens) {
  if (windowsDesktop !== undefined) return createDesktopFollower(windowsDesktop.listWindows);
  return display === undefined || display === "" ? undefined : createX11Follower(display);
}

function createLister(
  { display, windowsDesktop }: RecordingComponentsDeps,
  ffmpeg: () => Promise<FoundFfmpeg["ffmpeg"]>,
) {
  return windowsDesktop === undefined ? createX11Lister(display, ffmpeg) : createWindowsLister(windowsDesktop, ffmpeg);
}

const hasDesktop = ({ display, isWayland }: RecordingComponentsDeps): boolean =>
  process.platform !== "linux" || display !== undefined || isWayland;

function chooseTray({ display, isWayland, sessionBus, icon }: RecordingComponentsDeps) {
  if (process.platform !== "linux") return undefined;
  const pixels = () => readIcon(icon);
  const onWayland = showTrayIconOnBus(sessionBus, pixels);
  if (display) return showTrayIconOnX11(display, pixels, onWayland);
  return isWayland ? onWayland : undefined;
}

/** What a person sees and presses while playing. */
function createDesktopParts(deps: RecordingComponentsDeps, settings: () => RecorderSettings) {
  const { display, windowsDesktop, desktop, say, gameName, icon, openDashboard, stopKit, onHotkey, onChanged } = deps;
  const onTroubleChanged = () => onChanged("recorder");
  const windows = openWindowsShortcuts(icon);
  return {
    windows,
    tray: new Tray({
      show: windows?.showTrayIcon ?? chooseTray(deps),
      isWanted: () => settings().trayIcon,
      onClick: openDashboard,
      menu() {
        const seconds = Math.min(savedSeconds.default, settings().bufferSeconds);
        return [
          { text: say(message("tray.menu_open")), choose: openDashboard },
          { text: say(message("tray.menu_save", { seconds })), choose: () => onHotkey("save") },
          { text: say(message("tray.menu_stop")), choose: stopKit },
        ];
      },
      onChanged: onTroubleChanged,
    }),
    hotkeys: createHotkeys({
      grab: windows?.grab ?? grabHotkeysOnX11(display),
      wanted() {
        const { saveHotkey: save, markHotkey: mark } = settings();
        return { save, mark };
      },
      onPressed: onHotkey,
      onChanged: onTroubleChanged,
    }),
    notices: createClipNotices({
      mode: () => settings().clipNotice,
      desktop,
      say,
      gameName,
      knowsScreen: windowsDesktop !== undefined || (process.platform === "linux" && Boolean(display)),
      async isScreenFilled() {
        if (windowsDesktop) return (await windowsDesktop.isScreenFilled()) ?? undefined;
        return display ? isScreenFilled(display) : undefined;
      },
    }),
  };
}

export type RecordingComponents = ReturnType<typeof createRecordingComponents>;

export function createRecordingComponents(deps: RecordingComponentsDeps) {
  const { storage, now, clipsDir: dir, display, windowsDesktop, searchPath, umask, isGrowing } = deps;
  const ended = new AbortController();
  const findOnce = createFfmpegFinder({ chosen: deps.ffmpeg, searchPath });
  const ffmpeg = async () => (await findOnce()).ffmpeg;
  const { settings, rules, password } = createSettingsAndRules(deps, (changed) => {
    if (changed.some((name) => personalSettings.has(name))) deps.onChanged("recorder");
    // The recorder goes on undisturbed if nothing changed for it.
    if (changed.length === 0 || changed.some((name) => !personalSettings.has(name))) {
      captures.applySettings();
      recorder.applySettings();
    }
    hotkeys.apply();
    tray.apply();
  });
  const recorderSettings = (): RecorderSettings =>
    deps.isOnForAll() ? settings.current() : { ...settings.current(), when: "never" };
  const onBackendChanged = () => recorder.handleBackendChange();
  const captures = createCaptures(deps, recorderSettings, findOnce, onBackendChanged);
  const recorder: Recorder = new Recorder({
    settings: recorderSettings,
    ffmpeg: captures,
    obs: createObsBackend({
      url: () => settings.current().obsUrl,
      password: password.read,
      ffmpeg,
      onChanged: onBackendChanged,
      onAvailable: onBackendChanged,
    }),
    onChanged: deps.onRecorderChanged,
  });
  const onChanged = () => deps.onChanged("clips");
  const write = createRetryingWrite(storage.write, ended.signal, (error) => log.operationFailed("clip", error));
  const stageById = (id: string) => trim.stageById(id) ?? reels.stageById(id) ?? deps.stageById(id);
  const store = createClipStore(storage, dir, stageById, (id) => reels.progressById(id));
  const files = new ClipFiles({ dir, ffmpeg });
  const quotaBytes = () => settings.current().quotaBytes;
  // Deleting clips frees space, so a full disk must not prevent it.
  const library = createClipLibrary({ ...deps, dir, store, files, write: storage.writeFreeing, quotaBytes, onChanged });
  const { operationFailed: onFailure } = log;
  const monoMs = () => performance.now();
  const pictures = createClipPictures({ find: store.find, files, write, isGrowing, monoMs, onChanged, onFailure });
  const fitter = new MediaFitter({ dir: deps.dir.networkCopies, ffmpeg });
  const shared = { store, files, library, pictures, ffmpeg, write, quotaBytes, onChanged, isGrowing };
  const derived = { ...shared, writeOnce: storage.write, onFailure };
  const trim = createTrimmer(derived);
  const reels = createReels(derived);
  const { windows, tray, hotkeys, notices } = createDesktopParts(deps, settings.current);
  const ffmpegInstaller = createFfmpegInstaller({
    find: () => findFfmpeg({ chosen: deps.ffmpeg, searchPath }),
    installer: () => findInstaller({ chosen: deps.ffmpeg, searchPath }),
    onEnd() {
      captures.applySettings();
      recorder.applySettings();
      deps.onChanged("recorder");
    },
  });
  const system = { hasDesktop: hasDesktop(deps), searchPath, umask };
  const clipboard = createClipboard({ ...system, library, display, isWayland: deps.isWayland, windowsDesktop });

  return {
    settings,
    rules,
    recorder,
    captures,
    store,
    files,
    library,
    pictures,
    fitter,
    parts: createClipParts({ dir: deps.dir.networkCopies, ffmpeg, store, library }),
    trim,
    notices,
    reels,
    exports: createExports({ library, makeCopy: fitter.makeCopy, now, onChanged }),
    clipboard,
    readFrame: createFrames({ library, ffmpeg }),
    reveal: createRevealClip({ ...system, library }),
    queue: createBoundedQueue({ concurrency: 2, waitingMax: 200 }),
    write,
    async load() {
      await Promise.all([settings.load(), rules.load(), fitter.removeUnfinished()]);
      hotkeys.apply();
      tray.apply();
      captures.applySettings();
    },
    /** Finishes the pending clips of the previous run, or marks them as failed with the reason. */
    async recover(receiptStatements: ReceiptStatements): Promise<void> {
      await recoverClips({ dir, store, files, write: storage.write, receiptStatements });
      await trim.resume();
      await reels.resume();
    },
    sources: createLister(deps, ffmpeg),
    ffmpegInstaller,
    async report(): Promise<RecorderReport> {
      const found = await ffmpeg();
      return {
        state: recorder.state(),
        settings: settings.current(),
        obsPasswordSet: settings.hasObsPassword(),
        ffmpeg: found === undefined ? null : { path: found.path, version: found.version.text, from: found.origin },
        canCopyFiles: system.hasDesktop,
        trouble: {
          clipNotice: await notices.trouble(),
          saveHotkey: hotkeys.trouble("save"),
          markHotkey: hotkeys.trouble("mark"),
          trayIcon: tray.trouble(),
        },
      };
    },
    async stop() {
      const shortcuts = [hotkeys.stop(), tray.stop(), windows?.stop()];
      await Promise.all([clipboard.stop(), ...shortcuts, notices.stop(), trim.stop(), reels.stop()]);
      ended.abort();
      await pictures.stop();
      await recorder.stop();
      captures.close();
    },
  };
}
