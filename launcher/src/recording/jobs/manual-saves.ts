// Saves the last seconds, sets a marker, or records a test, because a person asks for it: without an event.

import { randomUUIDv7 } from "node:crypto";
import {
  type Clip,
  fieldError,
  hasCode,
  KitError,
  type Message,
  payloadInvalid,
  recordingRuleDefaults,
  savedSeconds,
  type TestRecording,
  textOf,
} from "@kit/contract";
import { message, reasonOf, toMessage } from "@kit/contract/messages";
import { timeOfDay } from "../../local-time.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles, VerifiedFile } from "../clips/clip-files.ts";
import { insertClip, insertMarker, markClipFailed, markClipSaved } from "../clips/clip-store.ts";
import { namePartsForPlan } from "../clips/file-names.ts";
import type { ClipLibrary } from "../clips/library.ts";
import type { ClipPlan } from "../plans/plan.ts";
import type { ClipJobs } from "./jobs.ts";
import type { ClipPictures } from "./pictures.ts";

export type ManualSavesDeps = {
  readonly jobs: Pick<ClipJobs, "addPlan" | "startCut" | "closeJob" | "whenCut">;
  readonly recorder: Pick<Recorder, "state">;
  readonly library: Pick<ClipLibrary, "get">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Returns the length of the replay buffer in the settings. */
  readonly bufferSeconds: () => number;
  /** Returns the game that has run since the given time, or null. */
  readonly gameSince: (atMs: number) => string | null;
  /** Returns false while recording is switched off for this game or for all. */
  readonly isOn: (game: string | null) => boolean;
  readonly onChanged: () => void;
};

export type ManualSaves = ReturnType<typeof createManualSaves>;

/** Above the default of rules: what a person saved by hand is removed later. */
const priority = 800;

export function createManualSaves(deps: ManualSavesDeps) {
  const { jobs, recorder, library, write, now, onChanged } = deps;
  let saving: Promise<Clip> | undefined;

  const createPlan = (kind: ClipPlan["kind"], titleMessage: Message, fromMs: number, toMs: number): ClipPlan => ({
    id: randomUUIDv7(),
    kind,
    game: deps.gameSince(fromMs),
    title: textOf(titleMessage),
    titleMessage,
    fromMs,
    toMs,
    moments: [],
    priority,
    notes: [],
  });
  const setMarker = async (plan: ClipPlan, reason: Message | null): Promise<Clip> => {
    await write(...insertMarker({ ...plan, kind: "marker", fromMs: plan.toMs }, reason));
    onChanged();
    return library.get(plan.id);
  };
  const whyNoFootage = ({ game }: ClipPlan): Message | undefined => {
    if (!deps.isOn(null)) return message("recording.switched_off");
    if (game !== null && !deps.isOn(game)) return message("recording.switched_off_for_game", { game });
    const { state, detail, heldSeconds } = recorder.state();
    const isCapturing = state === "recording" || state === "starting";
    return isCapturing || heldSeconds > 0 ? undefined : message("save.no_footage_yet", { why: toMessage(detail) });
  };
  const saveLast = async (seconds: number): Promise<Clip> => {
    const nowMs = now();
    const plan = createPlan(
      "clip",
      message("clip.saved_by_you", { time: timeOfDay(nowMs) }),
      nowMs - seconds * 1_000,
      nowMs,
    );
    const reason = whyNoFootage(plan);
    if (reason !== undefined) return setMarker(plan, reason);
    // Holds the footage at once, before anything is written.
    jobs.addPlan(plan, []);
    await write(...insertClip(plan));
    jobs.startCut(plan.id);
    jobs.closeJob(plan.id);
    onChanged();
    await jobs.whenCut(plan.id);
    return library.get(plan.id);
  };

  return {
    /** Throws KitError payload_invalid for more seconds than the replay buffer holds. */
    async save(seconds: number = Math.min(savedSeconds.default, deps.bufferSeconds())): Promise<Clip> {
      const held = deps.bufferSeconds();
      if (seconds > held) {
        const problem = message("save.exceeds_replay_buffer", { seconds, held });
        const detail = message("field.invalid", { field: "seconds", problem });
        throw payloadInvalid(detail, fieldError("/seconds", problem));
      }
      saving ??= saveLast(seconds).finally(() => {
        saving = undefined;
      });
      return saving;
    },
    async mark(): Promise<Clip> {
      const nowMs = now();
      const title = message("clip.marked_by_you", { time: timeOfDay(nowMs) });
      return setMarker(createPlan("marker", title, nowMs, nowMs), null);
    },
  };
}

type TestRecordingDeps = {
  readonly recorder: Pick<Recorder, "recordTest" | "state">;
  readonly files: Pick<ClipFiles, "partPath" | "saveVideo" | "discard">;
  readonly library: Pick<ClipLibrary, "prepareCut" | "enforceLimits">;
  readonly pictures: ClipPictures;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onChanged: () => void;
};

const createTestPlan = (nowMs: number): ClipPlan => ({
  id: randomUUIDv7(),
  kind: "clip",
  game: null,
  isTest: true,
  title: "Test recording",
  fromMs: nowMs,
  toMs: nowMs,
  moments: [],
  priority: recordingRuleDefaults.priority,
  notes: [],
});

function factsOf({ durationMs, width, height, frames, bytes, notes, soundTracks = 0 }: VerifiedFile) {
  const isBlack = notes.some((note) => hasCode(note, "clip.is_black"));
  const seconds = durationMs / 1_000;
  return { seconds, width, height, frameRate: frames / Math.max(seconds, 0.001), bytes, isBlack, soundTracks };
}

/** Records a few seconds in the same steps as any clip, and saves them as a clip. */
export function createTestRecording({ recorder, files, library, pictures, write, now, onChanged }: TestRecordingDeps) {
  let isRunning = false;

  const recordClip = async (plan: ClipPlan, part: string): Promise<TestRecording> => {
    const { footage, expected, ...result } = await recorder.recordTest(plan, part);
    if (footage === null) return { ...result, clip: null, file: null };
    const fromMs = Math.round(footage.fromMs);
    const toMs = Math.round(footage.toMs);
    await write(...insertClip({ ...plan, fromMs, toMs }));
    try {
      const file = await files.saveVideo(plan.id, part, footage, namePartsForPlan(plan));
      const { backend } = recorder.state();
      await write(markClipSaved(plan.id, { ...file, fromMs, backend, notes: file.notes }));
      await library.enforceLimits();
      onChanged();
      pictures.requestPoster(plan.id);
      return { ...result, clip: plan.id, file: { ...factsOf(file), expected } };
    } catch (error) {
      await write(...markClipFailed(plan.id, reasonOf(error)));
      onChanged();
      return {
        ...result,
        ok: false,
        says: message("test_recording.not_saved", { why: reasonOf(error) }),
        clip: plan.id,
        file: null,
      };
    }
  };
  /** Throws KitError too_many_requests while another test recording is running. */
  return async (): Promise<TestRecording> => {
    if (isRunning) {
      throw new KitError("too_many_requests", message("test_recording.already_running"));
    }
    isRunning = true;
    const plan = createTestPlan(now());
    const part = files.partPath(plan.id);
    try {
      await library.prepareCut();
      return await recordClip(plan, part);
    } catch (error) {
      return {
        ok: false,
        says: message("test_recording.nothing_recorded", { why: reasonOf(error) }),
        tried: [],
        clip: null,
        file: null,
      };
    } finally {
      isRunning = false;
      await files.discard(part);
    }
  };
}
