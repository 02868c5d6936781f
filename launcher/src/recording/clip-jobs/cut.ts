// One plan becomes one checked file: footage is cut into a part, the part is verified and gets its name.
import type { Clip } from "@kit/contract";
import { type Footage, NoFootage } from "../capture/backend.ts";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import type { Saved } from "../clips/clip-store.ts";
import { namingOf } from "../clips/file-name.ts";
import type { Library } from "../clips/library.ts";
import type { Plan } from "../plan.ts";
import { footageNotes, seconds } from "../said.ts";
import { missedBy, outsideMs } from "./coverage.ts";
import { splitByFormat } from "./split.ts";

export type CutNeeds = {
  readonly recorder: Pick<Recorder, "cut" | "state">;
  readonly files: Pick<ClipFiles, "partOf" | "keep" | "keepPicture" | "discard">;
  readonly library: Pick<Library, "prepareCut">;
};

/** A file that was made, with what of it is a picture standing still, and what could not lie in it. */
export type Made = Saved & Pick<Footage, "holes" | "apart" | "toMs">;

/** There is footage, but no longer of all that an earlier cut shows: that one stands. */
export class EarlierLost extends NoFootage {
  override name = "EarlierLost";
}

export type CutOptions = {
  /** The file of an earlier cut of the plan; null at the first. */
  readonly replaces: string | null;
  /** Times of which an earlier cut was said to be saved: a file without them does not take its place. */
  readonly keepsMs: readonly number[];
  /** No footage is waited for beyond that time: the launcher ends. */
  readonly noLaterMs?: number;
  readonly onStage: (stage: NonNullable<Clip["stage"]>) => void;
};

/** Around a picture's moment, so that its frame is in the footage whatever the frame rate. */
const pictureBeforeMs = 1_500;
const pictureAfterMs = 300;
const chaptersOf = ({ moments }: Plan) => moments.map(({ atMs, label }) => ({ atMs, title: label }));

function pictureNotes(atMs: number, footage: Footage): string[] {
  const { fromMs, toMs, holes } = footage;
  const hole = holes.find((one) => one.fromMs < atMs && atMs < one.toMs);
  // In a hole the picture before it stands still.
  const offMs = hole === undefined ? Math.max(fromMs - atMs, atMs - toMs) : atMs - hole.fromMs;
  if (offMs <= outsideMs) return [];
  return [
    `the picture is of ${seconds(offMs)} s ${fromMs > atMs ? "later" : "earlier"}: nothing was recorded at the moment`,
  ];
}

/** Cuts, checks and names. Rejects with NoFootage, VerifyFailed, DiskNearlyFull, or what the file system throws; no part is left then. */
export async function makeFile({ recorder, files, library }: CutNeeds, plan: Plan, options: CutOptions): Promise<Made> {
  const isPicture = plan.kind === "screenshot";
  const wanted = isPicture ? { fromMs: plan.fromMs - pictureBeforeMs, toMs: plan.fromMs + pictureAfterMs } : plan;
  const part = files.partOf(plan.id);
  await library.prepareCut();
  options.onStage("cutting");
  try {
    const footage = await recorder.cut({
      fromMs: wanted.fromMs,
      toMs: Math.min(wanted.toMs, options.noLaterMs ?? Number.POSITIVE_INFINITY),
      file: part,
      title: plan.title,
      comment: JSON.stringify({ events: plan.moments.map(({ event }) => event) }),
      chapters: isPicture ? [] : chaptersOf(plan),
    });
    if (options.keepsMs.some((atMs) => missedBy(footage, atMs) > 0)) {
      throw new EarlierLost("what the clip showed before is no longer in memory");
    }
    options.onStage("verifying");
    const naming = { ...namingOf(plan), replaces: options.replaces };
    if (isPicture) {
      const { backend } = recorder.state();
      const kept = await files.keepPicture(plan.id, part, Math.max(0, plan.fromMs - footage.fromMs), naming);
      const notes = [...plan.notes, ...pictureNotes(plan.fromMs, footage), ...kept.notes];
      return { ...kept, fromMs: plan.fromMs, toMs: plan.fromMs, backend, notes, holes: [], apart: [] };
    }
    const kept = await files.keep(plan.id, part, footage, naming);
    const { backend } = recorder.state();
    const about = splitByFormat(plan, footage)?.first ?? plan;
    const notes = [...about.notes, ...footageNotes(about, footage), ...kept.notes];
    return { ...footage, ...kept, backend, notes };
  } finally {
    await files.discard(part);
  }
}
