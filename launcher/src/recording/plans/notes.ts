// Messages for receipts and notes: about the range of a clip, a saved clip, and missing footage.

import { type Message, toShortLine } from "@kit/contract";
import { joinClauses, message } from "@kit/contract/messages";
import type { ClipPlan, Footage, Moment } from "./plan.ts";

/** Missing footage up to this length, a few frames, is not mentioned. */
const unreportedMs = 250;
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
  { game, title }: Pick<ClipPlan, "game" | "title">,
  notes: readonly Message[],
): Message {
  const seconds = (durationMs / 1_000).toFixed(1);
  return joinClauses(message("clip.saved", { seconds, title: game === null ? title : `${game} ${title}` }), ...notes);
}

/** Says which planned footage the file lacks; nothing if it has all. */
export function footageNotes(
  { fromMs, toMs, moments, notes: planned }: ClipPlan,
  footage: Pick<Footage, "fromMs" | "toMs" | "gaps">,
): Message[] {
  const notes: Message[] = [];
  const missing = () => message("clip.beginning_not_recorded", { seconds: formatSeconds(footage.fromMs - fromMs) });
  const first = moments[0]?.atMs ?? fromMs;
  const last = moments.at(-1)?.atMs ?? toMs;
  const beforeMs = first - footage.fromMs;
  const afterMs = footage.toMs - last;
  const hasSeveral = moments.length > 1;
  if (moments.length === 0) {
    if (footage.fromMs - fromMs > unreportedMs) notes.push(missing());
  } else if (beforeMs < 0) {
    const seconds = formatSeconds(-beforeMs);
    notes.push(
      hasSeveral
        ? message("clip.starts_after_first_moment", { seconds })
        : message("clip.starts_after_moment", { seconds }),
    );
  } else if (footage.fromMs - fromMs > unreportedMs) {
    // If a note of the plan already says how many seconds are before the moment, another number would contradict it.
    const hasPlanNote = planned.some(({ code }) => code === "clip.short_before");
    notes.push(
      hasPlanNote
        ? missing()
        : message("clip.has_part_before", { seconds: formatSeconds(beforeMs), wanted: formatSeconds(first - fromMs) }),
    );
  }
  if (moments.length > 0 && afterMs < 0) {
    const seconds = formatSeconds(-afterMs);
    notes.push(
      hasSeveral
        ? message("clip.ends_before_last_moment", { seconds })
        : message("clip.ends_before_moment", { seconds }),
    );
  } else if (moments.length > 0 && toMs - footage.toMs > unreportedMs)
    notes.push(message("clip.has_part_after", { seconds: formatSeconds(afterMs), wanted: formatSeconds(toMs - last) }));
  const missingMs = footage.gaps.reduce((sum, gap) => sum + gap.toMs - gap.fromMs, 0);
  if (missingMs > unreportedMs) notes.push(message("clip.has_gaps", { seconds: formatSeconds(missingMs) }));
  return notes;
}
