// Which part of a clip is asked for, and whether it can be had. Pure.
import { type Clip, type FieldError, KitError } from "@kit/contract";
import type { KeptClip } from "../clips/clip-row.ts";
import type { Moment, Plan } from "../plan.ts";

export type Wanted = { readonly fromSeconds: number; readonly toSeconds: number; readonly title?: string };

const shortestSeconds = 0.5;
/** What a page shows of a length is rounded. */
const roundedSeconds = 0.05;

const refuse = (sentence: string, ...errors: FieldError[]) => new KitError("payload_invalid", sentence, errors);

/** Throws KitError payload_invalid, which says what there is instead. */
function checkWhole({ kind, state, deletedAt, missing }: Clip): void {
  if (kind === "screenshot") throw refuse("A screenshot is one picture: nothing of it can be trimmed.");
  if (kind === "marker") throw refuse("A marker holds no footage: there is nothing to trim.");
  if (state === "pending") throw refuse("The clip is still being made. Trim it once it is there.");
  if (state !== "saved") throw refuse("The clip was never saved: there is nothing to trim.");
  if (deletedAt !== null) throw refuse("The clip lies in the bin. Restore it, then trim it.");
  if (missing) throw refuse("The clip's file is not in the clips folder any more.");
}

function checkWindow({ fromSeconds, toSeconds }: Wanted, duration: number): void {
  const length = `${duration.toFixed(2)} s`;
  if (toSeconds > duration + roundedSeconds) {
    throw refuse(`The part ends behind the clip, which is ${length} long.`, {
      path: "/toSeconds",
      message: `expected at most ${duration.toFixed(2)}, the clip's length`,
    });
  }
  if (Math.min(toSeconds, duration) - fromSeconds < shortestSeconds) {
    throw refuse(`A part is at least ${shortestSeconds} s long; the clip is ${length} long.`, {
      path: "/toSeconds",
      message: `expected at least ${(fromSeconds + shortestSeconds).toFixed(2)}, ${shortestSeconds} s behind fromSeconds`,
    });
  }
}

/** Times in whole milliseconds: whoever begins again after a crash cuts the same. Throws KitError payload_invalid. */
export function partPlanOf({ clip, fromMs, moments }: KeptClip, wanted: Wanted, id: string): Plan {
  checkWhole(clip);
  checkWindow(wanted, clip.duration);
  const part = {
    fromMs: Math.round(fromMs + wanted.fromSeconds * 1_000),
    toMs: Math.round(fromMs + Math.min(wanted.toSeconds, clip.duration) * 1_000),
  };
  const isIn = ({ atMs }: Moment) => part.fromMs <= atMs && atMs <= part.toMs;
  const { game, priority } = clip;
  const title = wanted.title ?? clip.title;
  return { id, kind: "clip", game, title, ...part, moments: moments.filter(isIn), priority, notes: [] };
}
