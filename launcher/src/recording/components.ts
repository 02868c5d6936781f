// What the recording slice is made of, with its settings, files and programs: everything but the moments.
import { setTimeout as pause } from "node:timers/promises";
import { type Clip, KitError, type RecorderReport } from "@kit/contract";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createRecorder } from "./capture/recorder.ts";
import { createPictures, type Pictures } from "./clip-jobs/pictures.ts";
import { type ClipFiles, createClipFiles } from "./clips/clip-files.ts";
import { type ClipStore, createClipStore } from "./clips/clip-store.ts";
import { createLibrary, type Library } from "./clips/library.ts";
import { recoverClips } from "./clips/recovery.ts";
import { createReveal } from "./clips/reveal.ts";
import { createCutQueue } from "./cut-queue.ts";
import { createExports } from "./exports/exports.ts";
import { type FoundFfmpeg, findFfmpeg } from "./ffmpeg/find.ts";
import { createFit } from "./fit/fit.ts";
import { loadRules } from "./moments/rule-store.ts";
import { createRules } from "./moments/rules.ts";
import { createObsBackend } from "./obs/obs-backend.ts";
import type { Moment } from "./plan.ts";
import { passwordFileAt } from "./settings/password-file.ts";
import { loadSettings } from "./settings/setting-store.ts";
import { createSettings } from "./settings/settings.ts";
import { createTrim, type TrimNeeds } from "./trim/trim.ts";

// Writes what has to be said of clips that exist: again and again while the storage fails, until the launcher ends.

type Write = (...statements: Statement[]) => Promise<void>;

const firstPauseMs = 500;
const pauseMsMax = 30_000;

/**
 * Rejects when `ended` is aborted: what could not be written then is found out anew at the next start. Rejects at once
 * for what no waiting mends: a statement the database refuses is a bug.
 */
export function patientWrite(write: Write, ended: AbortSignal, onFailure: (error: unknown) => void): Write {
  return async (...statements) => {
    if (statements.length === 0) return;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
      try {
        return await write(...statements);
      } catch (error) {
        onFailure(error);
        if (ended.aborted || !(error instanceof KitError)) throw error;
        await pause(pauseMs, undefined, { signal: ended }).catch(() => undefined);
      }
    }
  };
}

export type PartsNeeds = {
  readonly storage: Storage;
  readonly now: () => number;
  /** Files of the data directory that are recording's. */
  readonly dir: { readonly obsPassword: string; readonly capture: string; readonly fitted: string };
  readonly clipsDir: string;
  /** The ffmpeg a person chose. */
  readonly ffmpeg: string | undefined;
  readonly searchPath: string;
  readonly umask: number;
  readonly display: string | undefined;
  readonly wayland: boolean;
  /** Event ids of recording triggers that were seen. */
  readonly knownIds: () => readonly string[];
  readonly onChanged: (what: "clips" | "recorder") => void;
};

type Needs = PartsNeeds & {
  readonly stageOf: (id: string) => Clip["stage"];
  /** A moment may join that clip still. */
  readonly isGrowing: (id: string) => boolean;
  readonly onRecorderChanged: () => void;
  /** False while recording is switched off for all games. */
  readonly isOnAtAll: () => boolean;
};

/** Asked for again only while none was found: a person may install one meanwhile. */
function createFfmpegFinder(wanted: Parameters<typeof findFfmpeg>[0]): () => Promise<FoundFfmpeg> {
  let finding: Promise<FoundFfmpeg> | undefined;
  return async () => {
    finding ??= findFfmpeg(wanted);
    const found = await finding;
    if (found.ffmpeg === undefined) finding = undefined;
    return found;
  };
}

function createSettingParts({ storage, dir, knownIds, onChanged }: Needs, onSettings: () => void) {
  const password = passwordFileAt(dir.obsPassword);
  const { write } = storage;
  const settings = createSettings({
    load: () => loadSettings(storage),
    // A smaller quota gives room.
    write: storage.writeFreeing,
    password,
    longestPreSeconds: () => rules.longestPreSeconds(),
    onChanged: onSettings,
  });
  const rules = createRules({
    load: () => loadRules(storage),
    write,
    knownIds,
    bufferSeconds: () => settings.now().bufferSeconds,
    onChanged: () => onChanged("recorder"),
  });
  return { settings, rules, password };
}

type Kept = Pick<TrimNeeds, "ffmpeg" | "write" | "quotaBytes" | "onChanged"> & {
  readonly store: ClipStore;
  readonly files: ClipFiles;
  readonly library: Library;
  readonly pictures: Pictures;
};

/** What is made of clips that are there: parts, copies; and their place on this machine. */
function createByHand({ storage, now, dir, display, wayland, searchPath, umask, isGrowing }: Needs, kept: Kept) {
  const { library, ffmpeg, onChanged } = kept;
  const fit = createFit({ dir: dir.fitted, ffmpeg });
  const hasDesktop = process.platform !== "linux" || display !== undefined || wayland;
  return {
    fit,
    trim: createTrim({ ...kept, promise: storage.write, isGrowing, onFailure: log.notKept }),
    exports: createExports({ library, fit: fit.fit, now, onChanged }),
    reveal: createReveal({ library, hasDesktop, searchPath, umask }),
  };
}

export function createParts(needs: Needs) {
  const { storage, now, clipsDir: dir, display, wayland } = needs;
  const ended = new AbortController();
  const findIt = createFfmpegFinder({ chosen: needs.ffmpeg, searchPath: needs.searchPath });
  const ffmpeg = async () => (await findIt()).ffmpeg;
  const { settings, rules, password } = createSettingParts(needs, () => recorder.settingsChanged());
  const recorder = createRecorder({
    settings: () => (needs.isOnAtAll() ? settings.now() : { ...settings.now(), when: "never" }),
    ffmpeg: findIt,
    obs: (events) => createObsBackend({ ...events, url: () => settings.now().obsUrl, password: password.read, ffmpeg }),
    system: { display, wayland },
    captureFile: needs.dir.capture,
    onChanged: needs.onRecorderChanged,
    log: log.recorder,
  });
  const onChanged = () => needs.onChanged("clips");
  const write = patientWrite(storage.write, ended.signal, (error) => log.notKept("clip", error));
  const store = createClipStore(storage, dir, (id) => trim.stageOf(id) ?? needs.stageOf(id));
  const files = createClipFiles({ dir, ffmpeg });
  const quotaBytes = () => settings.now().quotaBytes;
  // What a person deletes gives room: a full disk must not keep them from it.
  const library = createLibrary({ dir, store, files, write: storage.writeFreeing, quotaBytes, now, onChanged });
  const pictures = createPictures({ files, write, onChanged, onFailure: log.notKept });
  const kept = { store, files, library, pictures, ffmpeg, write, quotaBytes, onChanged };
  const { trim, ...byHand } = createByHand(needs, kept);
  const queue = createCutQueue({ concurrency: 2, waitingMax: 200 });
  type Receipts = (moments: readonly Moment[], state: "saved" | "failed", reason: string) => Statement[];

  return {
    settings,
    rules,
    recorder,
    store,
    files,
    library,
    pictures,
    trim,
    ...byHand,
    queue,
    write,
    async load() {
      await Promise.all([settings.load(), rules.load(), byHand.fit.tidy()]);
    },
    /** Clips that an earlier run promised are finished, or failed with the reason. */
    async recover(receipts: Receipts): Promise<void> {
      await recoverClips({ dir, store, files, write: storage.write, receipts });
      await trim.resume();
    },
    async report(): Promise<RecorderReport> {
      const found = await ffmpeg();
      return {
        state: recorder.state(),
        settings: settings.now(),
        obsPasswordSet: settings.obsPasswordSet(),
        ffmpeg: found === undefined ? null : { path: found.path, version: found.version.text, from: found.from },
      };
    },
    async stop() {
      await trim.stop();
      ended.abort();
      await pictures.stop();
      await recorder.stop();
    },
  };
}
