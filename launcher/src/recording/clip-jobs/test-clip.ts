// A test recording: a few seconds by the very same way as a clip, kept as one.
import { randomUUIDv7 } from "node:crypto";
import { KitError, recordingRuleDefaults, type TestRecording } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import { failed, planned, saved } from "../clips/clip-store.ts";
import { namingOf } from "../clips/file-name.ts";
import type { Library } from "../clips/library.ts";
import type { Plan } from "../plan.ts";
import type { Pictures } from "./pictures.ts";

export type TestClipNeeds = {
  readonly recorder: Pick<Recorder, "test" | "state">;
  readonly files: Pick<ClipFiles, "partOf" | "keep" | "discard">;
  readonly library: Pick<Library, "prepareCut">;
  readonly pictures: Pictures;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  readonly onChanged: () => void;
};

const planNow = (nowMs: number): Plan => ({
  id: randomUUIDv7(),
  kind: "clip",
  game: null,
  title: "Test recording",
  fromMs: nowMs,
  toMs: nowMs,
  moments: [],
  priority: recordingRuleDefaults.priority,
  notes: [],
});

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export function createTestClip({ recorder, files, library, pictures, write, now, onChanged }: TestClipNeeds) {
  let isRunning = false;

  const keep = async (plan: Plan, part: string): Promise<TestRecording> => {
    const { footage, ...found } = await recorder.test(part);
    if (footage === null) return { ...found, clip: null };
    const fromMs = Math.round(footage.fromMs);
    const toMs = Math.round(footage.toMs);
    await write(...planned({ ...plan, fromMs, toMs }));
    try {
      const file = await files.keep(plan.id, part, footage, namingOf(plan));
      const { backend } = recorder.state();
      await write(saved(plan.id, { ...file, fromMs, backend, notes: file.notes }));
      onChanged();
      const offsetMs = file.durationMs / 2;
      pictures.poster({ id: plan.id, file: file.file, offsetMs });
      return { ...found, clip: plan.id };
    } catch (error) {
      await write(...failed(plan.id, reasonOf(error)));
      onChanged();
      return {
        ...found,
        ok: false,
        says: `It was recorded, but could not be saved: ${reasonOf(error)}.`,
        clip: plan.id,
      };
    }
  };
  /** Throws KitError too_many_requests while another one runs. */
  return async (): Promise<TestRecording> => {
    if (isRunning)
      throw new KitError("too_many_requests", "A test recording runs already. Wait some seconds for its result.");
    isRunning = true;
    const plan = planNow(now());
    const part = files.partOf(plan.id);
    try {
      await library.prepareCut();
      return await keep(plan, part);
    } catch (error) {
      return { ok: false, says: `Nothing was recorded: ${reasonOf(error)}.`, tried: [], clip: null };
    } finally {
      isRunning = false;
      await files.discard(part);
    }
  };
}
