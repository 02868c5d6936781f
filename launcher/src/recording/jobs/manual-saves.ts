// Saves the last seconds, or sets a marker, because a person asks for it: without an event.

import { randomUUIDv7 } from "node:crypto";
import { type Clip, fieldError, type Message, payloadInvalid, savedSeconds, textOf } from "@kit/contract";
import { message, toMessage } from "@kit/contract/messages";
import type { Statement } from "../../storage/sql.ts";
import type { Recorder } from "../capture/recorder.ts";
import { insertClip, insertMarker } from "../clips/clip-store.ts";
import type { ClipLibrary } from "../clips/library.ts";
import type { ClipPlan } from "../plans/plan.ts";
import type { ClipJobs } from "./jobs.ts";

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

/** Returns a time of day such as 21:04. */
function timeOfDay(atMs: number): string {
  const at = new Date(atMs);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

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
