// Records a few seconds for a test, in the same steps as any clip, and saves them as a clip.

import { randomUUIDv7 } from "node:crypto";
import { KitError, recordingRuleDefaults, type TestRecording } from "@kit/contract";
import { message, reasonOf } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import { insertClip, markClipFailed, markClipSaved } from "../clips/clip-store.ts";
import { namePartsForPlan } from "../clips/file-names.ts";
import type { ClipLibrary } from "../clips/library.ts";
import type { ClipPlan } from "../plans/plan.ts";
import type { ClipPictures } from "./pictures.ts";

export type TestRecordingDeps = {
  readonly recorder: Pick<Recorder, "recordTest" | "state">;
  readonly files: Pick<ClipFiles, "partPath" | "saveVideo" | "discard">;
  readonly library: Pick<ClipLibrary, "prepareCut" | "enforceLimits">;
  readonly pictures: ClipPictures;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onChanged: () => void;
};

const createPlan = (nowMs: number): ClipPlan => ({
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

export function createTestRecording({ recorder, files, library, pictures, write, now, onChanged }: TestRecordingDeps) {
  let isRunning = false;

  const recordClip = async (plan: ClipPlan, part: string): Promise<TestRecording> => {
    const { footage, ...result } = await recorder.recordTest(plan, part);
    if (footage === null) return { ...result, clip: null };
    const fromMs = Math.round(footage.fromMs);
    const toMs = Math.round(footage.toMs);
    await write(...insertClip({ ...plan, fromMs, toMs }));
    try {
      const file = await files.saveVideo(plan.id, part, footage, namePartsForPlan(plan));
      const { backend } = recorder.state();
      await write(markClipSaved(plan.id, { ...file, fromMs, backend, notes: file.notes }));
      await library.enforceLimits();
      onChanged();
      const offsetMs = file.durationMs / 2;
      pictures.requestPoster({ id: plan.id, file: file.file, offsetMs });
      return { ...result, clip: plan.id };
    } catch (error) {
      await write(...markClipFailed(plan.id, reasonOf(error)));
      onChanged();
      return {
        ...result,
        ok: false,
        says: message("test_recording.not_saved", { why: reasonOf(error) }),
        clip: plan.id,
      };
    }
  };
  /** Throws KitError too_many_requests while another test recording is running. */
  return async (): Promise<TestRecording> => {
    if (isRunning) {
      throw new KitError("too_many_requests", message("test_recording.already_running"));
    }
    isRunning = true;
    const plan = createPlan(now());
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
      };
    } finally {
      isRunning = false;
      await files.discard(part);
    }
  };
}
