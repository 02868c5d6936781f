// Cuts a clip plan into a verified file: writes the footage to a partial file, verifies that, and gives it its name.

import type { Clip, Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles, VerifiedFile } from "../clips/clip-files.ts";
import type { SavedFile } from "../clips/clip-store.ts";
import { namePartsForPlan } from "../clips/file-names.ts";
import type { ClipLibrary } from "../clips/library.ts";
import type { Rehearsal } from "../clips/verify.ts";
import { footageNotes, formatSeconds, missedReason, reportedMs } from "../plans/notes.ts";
import {
  bestMoment,
  type ClipPlan,
  coverageToleranceMs,
  distanceToFootageMs,
  type Footage,
  type Moment,
  NoFootage,
  splitByFormat,
} from "../plans/plan.ts";

export type CutDeps = {
  readonly recorder: Pick<Recorder, "cut" | "state">;
  readonly files: Pick<
    ClipFiles,
    "partPath" | "rehearsalPath" | "createFolders" | "rehearse" | "saveVideo" | "saveScreenshot" | "discard"
  >;
  readonly library: Pick<ClipLibrary, "prepareCut">;
};

/** The saved file of a cut, its gaps, and the footage that could not be in it. */
export type CutResult = SavedFile & Pick<VerifiedFile, "outdated"> & Pick<Footage, "gaps" | "otherFormat" | "toMs">;

/**
 * The replay buffer no longer has all the footage of an earlier cut, so a new cut would be worse. The earlier cut's file is kept.
 */
export class EarlierFootageLost extends NoFootage {
  override name = "EarlierFootageLost";
}

/** The footage shows no moment of its clip, so there is no clip. */
export class MomentsMissed extends NoFootage {
  override name = "MomentsMissed";
  readonly footage: Footage;

  constructor(plan: ClipPlan, footage: Footage) {
    const missed = bestMoment(plan.moments) ?? { atMs: plan.fromMs };
    super(missedReason(footage, missed));
    this.footage = footage;
  }
}

export type CutOptions = {
  /** File of an earlier cut of the plan; null for the first cut. */
  readonly replaces: string | null;
  /** Times of the moments that an earlier cut saved. A file that does not show them must not replace the earlier one. */
  readonly mustShowMs: readonly number[];
  /** The cut waits for no footage after this time, because the launcher is stopping. */
  readonly latestToMs?: number;
  /** The rehearsal of this cut, if there was one. */
  readonly rehearsal: Promise<Rehearsal | undefined> | undefined;
  readonly onStage: (stage: NonNullable<Clip["stage"]>) => void;
};

/** How long before the end of a clip it is rehearsed. A rehearsal takes about half a second. */
export const rehearsalLeadMs = 1_200;

/** Cuts and verifies what there is of a clip shortly before its end, so that little is left to verify afterwards. Never rejects. */
export async function rehearseCut({ recorder, files }: CutDeps, plan: ClipPlan): Promise<Rehearsal | undefined> {
  const part = files.rehearsalPath(plan.id);
  try {
    await files.createFolders();
    await recorder.cut({ ...plan, toMs: plan.toMs - rehearsalLeadMs }, part);
    return await files.rehearse(part);
  } catch {
    return undefined; // The clip is verified as a whole.
  } finally {
    await files.discard(part).catch(() => undefined);
  }
}

/** How much footage around its moment a screenshot is taken from: enough to contain the frame at any frame rate. */
const screenshotBeforeMs = 1_500;
const screenshotAfterMs = 300;

function screenshotNotes(atMs: number, { toMs, gaps }: Footage): Message[] {
  const gap = gaps.find((one) => one.fromMs < atMs && atMs < one.toMs);
  // In a gap, a player shows the frame before the gap.
  const offMs = gap === undefined ? atMs - toMs : atMs - gap.fromMs;
  return offMs < reportedMs ? [] : [message("clip.picture_is_earlier", { seconds: formatSeconds(offMs) })];
}

/** Rejects with NoFootage, VerifyFailed, DiskNearlyFull or a file system error. Leaves no partial file in any case. */
export async function cutClip(
  { recorder, files, library }: CutDeps,
  plan: ClipPlan,
  options: CutOptions,
): Promise<CutResult> {
  const isScreenshot = plan.kind === "screenshot";
  const range = isScreenshot
    ? { ...plan, fromMs: plan.fromMs - screenshotBeforeMs, toMs: plan.fromMs + screenshotAfterMs }
    : plan;
  const toMs = Math.min(range.toMs, options.latestToMs ?? Number.POSITIVE_INFINITY);
  const part = files.partPath(plan.id);
  await library.prepareCut();
  options.onStage("cutting");
  try {
    const footage = await recorder.cut({ ...range, toMs }, part);
    if (options.mustShowMs.some((atMs) => distanceToFootageMs(footage, atMs) > 0)) {
      throw new EarlierFootageLost(message("clip.earlier_footage_gone"));
    }
    const planInFile = splitByFormat(plan, footage)?.first ?? plan;
    const isMissed = ({ atMs }: Moment) =>
      isScreenshot ? footage.fromMs > atMs + coverageToleranceMs : distanceToFootageMs(footage, atMs) > 0;
    if (plan.moments.length > 0 && planInFile.moments.every(isMissed)) throw new MomentsMissed(planInFile, footage);
    options.onStage("verifying");
    const naming = { ...namePartsForPlan(plan), replaces: options.replaces };
    if (isScreenshot) {
      const { backend } = recorder.state();
      const file = await files.saveScreenshot(plan.id, part, Math.max(0, plan.fromMs - footage.fromMs), naming);
      const notes = [...plan.notes, ...screenshotNotes(plan.fromMs, footage), ...file.notes];
      return { ...file, fromMs: plan.fromMs, toMs: plan.fromMs, backend, notes, gaps: [], otherFormat: [] };
    }
    const file = await files.saveVideo(plan.id, part, footage, naming, { rehearsal: await options.rehearsal });
    const { backend } = recorder.state();
    const notes = [...planInFile.notes, ...footageNotes(planInFile, footage), ...file.notes];
    return { ...footage, ...file, backend, notes };
  } finally {
    await files.discard(part);
  }
}
