// Messages for receipts and notes: about the range of a clip, a saved clip, and missing footage.

import { type Message, toShortLine } from "@kit/contract";
import { joinClauses, message } from "@kit/contract/messages";
import { type ClipPlan, distanceToFootageMs, type Footage, type Moment } from "./plan.ts";

/** Missing footage is mentioned from this length on. */
export const reportedMs = 1_000;
/** Returns seconds with at most one decimal, such as 2 or 2.5. */
export const formatSeconds = (ms: number): string => String(Math.round(ms / 100) / 10);

export const errorLabel = (message: string): string => toShortLine(message.split("\n", 1)[0] ?? "") || "an error";

/** Describes the range of a clip around one of its moments. */
export function describeRange({ fromMs, toMs, moments }: ClipPlan, { atMs }: Moment): Message {
  const before = formatSeconds(atMs - fromMs);
  const after = formatSeconds(toMs - atMs);
  if (moments.length === 1) return message("clip.range", { before, after });
  const length = formatSeconds(toMs - fromMs);
  return message("clip.shared_range", { before, after, others: moments.length - 1, length });
}

export function describeSavedClip(
  durationMs: number,
  { title }: Pick<ClipPlan, "title">,
  notes: readonly Message[],
): Message {
  return joinClauses(message("clip.saved", { seconds: (durationMs / 1_000).toFixed(1), title }), ...notes);
}

/** A capture that an event started delivers its first frame within this time. */
const captureStartMs = 5_000;

/** Says that nothing was recorded at a moment that the footage does not show. */
export function missedReason(
  footage: Pick<Footage, "fromMs" | "toMs" | "gaps">,
  { atMs }: Pick<Moment, "atMs">,
): Message {
  const lateMs = footage.fromMs - atMs;
  const seconds = formatSeconds(distanceToFootageMs(footage, atMs));
  return lateMs > 0 && lateMs <= captureStartMs
    ? message("moment.not_recorded_before_start", { seconds })
    : message("moment.not_recorded", { seconds });
}

/** Says how much of the planned footage the file lacks; nothing if that is less than a second. */
export function footageNotes(
  { fromMs, toMs }: Pick<ClipPlan, "fromMs" | "toMs">,
  footage: Pick<Footage, "fromMs" | "toMs" | "gaps">,
): Message[] {
  const lost = {
    "clip.starts_late": footage.fromMs - fromMs,
    "clip.ends_early": toMs - footage.toMs,
    "clip.has_gaps": footage.gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0),
  } as const;
  return (Object.keys(lost) as (keyof typeof lost)[])
    .filter((code) => lost[code] >= reportedMs)
    .map((code) => message(code, { seconds: formatSeconds(lost[code]) }));
}
