// What recording says to a person: of a moment, of its window, and of what a file holds less than was asked for.
import { oneLine } from "@kit/contract";
import type { Footage } from "./capture/backend.ts";
import type { Moment, Plan } from "./plan.ts";

/** Less than that is nobody's loss: a few frames. */
const shortMs = 250;
/** At most one digit after the point, and none where it says nothing. */
export const seconds = (ms: number): string => String(Math.round(ms / 100) / 10);

export const labelOfError = (message: string): string => oneLine(message.split("\n", 1)[0] ?? "") || "an error";

/** Of a moment that waits for its clip: how much of the clip lies around it. */
export function windowSaid({ fromMs, toMs, moments }: Plan, { atMs }: Moment): string {
  const around = `${seconds(atMs - fromMs)} s before, ${seconds(toMs - atMs)} s after`;
  return moments.length === 1
    ? around
    : `${around}, with ${moments.length - 1} more in one clip of ${seconds(toMs - fromMs)} s`;
}

export function savedSaid(
  durationMs: number,
  { game, title }: Pick<Plan, "game" | "title">,
  notes: readonly string[],
): string {
  const what = `${(durationMs / 1_000).toFixed(1)} s, ${game === null ? title : `${game} ${title}`}`;
  return [what, ...notes].join("; ");
}

/** What the file lacks of what was planned; empty when it is whole. */
export function footageNotes(
  { fromMs, toMs, moments, notes: planned }: Plan,
  footage: Pick<Footage, "fromMs" | "toMs" | "holes">,
): string[] {
  const notes: string[] = [];
  const first = moments[0]?.atMs ?? fromMs;
  const last = moments.at(-1)?.atMs ?? toMs;
  const beforeMs = first - footage.fromMs;
  const afterMs = footage.toMs - last;
  const [theFirst, theLast] =
    moments.length > 1 ? ["the first moment", "the last moment"] : ["the moment", "the moment"];
  if (beforeMs < 0) notes.push(`it begins ${seconds(-beforeMs)} s after ${theFirst}: nothing was recorded before`);
  else if (footage.fromMs - fromMs > shortMs) {
    // Where the plan has fewer seconds than the rule already, a second "of" would contradict the first.
    const isShort = planned.some((note) => note.includes(" s before:"));
    const missing = `the first ${seconds(footage.fromMs - fromMs)} s of it were not recorded`;
    notes.push(isShort ? missing : `${seconds(beforeMs)} of ${seconds(first - fromMs)} s before`);
  }
  if (afterMs < 0) notes.push(`it ends ${seconds(-afterMs)} s before ${theLast}: nothing was recorded after`);
  else if (toMs - footage.toMs > shortMs) notes.push(`${seconds(afterMs)} of ${seconds(toMs - last)} s after`);
  const missingMs = footage.holes.reduce((sum, hole) => sum + hole.toMs - hole.fromMs, 0);
  if (missingMs > shortMs) notes.push(`${seconds(missingMs)} s inside were not recorded: the picture stands still`);
  return notes;
}
