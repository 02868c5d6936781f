// Sentences for receipts and notes: the range of a clip, a saved clip, and missing footage.
import { oneLine } from "@kit/contract";
import type { Footage } from "./footage.ts";
import type { ClipPlan, Moment } from "./plan.ts";

/** Missing footage up to this length, a few frames, is not reported. */
const unreportedMs = 250;
/** At most one decimal, without a trailing zero. */
export const formatSeconds = (ms: number): string => String(Math.round(ms / 100) / 10);

export const errorLabel = (message: string): string => oneLine(message.split("\n", 1)[0] ?? "") || "an error";

/** Describes the range of a clip around one of its moments. */
export function describeRange({ fromMs, toMs, moments }: ClipPlan, { atMs }: Moment): string {
  const around = `${formatSeconds(atMs - fromMs)} s before, ${formatSeconds(toMs - atMs)} s after`;
  return moments.length === 1
    ? around
    : `${around}, with ${moments.length - 1} more in one clip of ${formatSeconds(toMs - fromMs)} s`;
}

export function describeSavedClip(
  durationMs: number,
  { game, title }: Pick<ClipPlan, "game" | "title">,
  notes: readonly string[],
): string {
  const what = `${(durationMs / 1_000).toFixed(1)} s, ${game === null ? title : `${game} ${title}`}`;
  return [what, ...notes].join("; ");
}

/** Describes the planned footage that is missing in the file. Empty if nothing is missing. */
export function footageNotes(
  { fromMs, toMs, moments, notes: planned }: ClipPlan,
  footage: Pick<Footage, "fromMs" | "toMs" | "gaps">,
): string[] {
  const notes: string[] = [];
  const first = moments[0]?.atMs ?? fromMs;
  const last = moments.at(-1)?.atMs ?? toMs;
  const beforeMs = first - footage.fromMs;
  const afterMs = footage.toMs - last;
  const [theFirst, theLast] =
    moments.length > 1 ? ["the first moment", "the last moment"] : ["the moment", "the moment"];
  if (beforeMs < 0)
    notes.push(`it starts ${formatSeconds(-beforeMs)} s after ${theFirst}: nothing was recorded before that`);
  else if (footage.fromMs - fromMs > unreportedMs) {
    // A note of the plan may already say "of … s before". A second such note would contradict it.
    const hasPlanNote = planned.some((note) => note.includes(" s before:"));
    const missing = `the first ${formatSeconds(footage.fromMs - fromMs)} s were not recorded`;
    notes.push(hasPlanNote ? missing : `${formatSeconds(beforeMs)} of ${formatSeconds(first - fromMs)} s before`);
  }
  if (afterMs < 0) notes.push(`it ends ${formatSeconds(-afterMs)} s before ${theLast}: nothing was recorded after`);
  else if (toMs - footage.toMs > unreportedMs)
    notes.push(`${formatSeconds(afterMs)} of ${formatSeconds(toMs - last)} s after`);
  const missingMs = footage.gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  if (missingMs > unreportedMs)
    notes.push(`${formatSeconds(missingMs)} s in between were not recorded: the picture freezes`);
  return notes;
}
