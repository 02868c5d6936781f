// The clips the page knows of a list, in the list's order, and how a part fetched anew goes into them. Pure.
import type { Clip } from "@kit/contract";

/** The beginning of a list. */
export type Listed = {
  readonly clips: readonly Clip[];
  /** The list goes on after the last one. */
  readonly more: boolean;
};

/** What the launcher answered: what stands behind the clip `before` now, or at the beginning when it is left out. */
export type Part = Listed & { readonly before: string | undefined };

/** Clips asked for at once. */
export const partClips = 100;

/** How many of `known`, from `from` on, the part stands for: to its last clip that is among them. */
function replacedTo(known: readonly Clip[], from: number, part: readonly Clip[]): number {
  const places = new Map(known.map(({ id }, index) => [id, index]));
  for (const { id } of part.toReversed()) {
    const at = places.get(id);
    if (at !== undefined && at >= from) return at + 1;
  }
  return from;
}

/** The list with a part of it as it is now. A part behind a clip that has left the list says nothing. */
export function withPart(known: Listed | undefined, { before, clips, more }: Part): Listed {
  if (known === undefined) return { clips, more };
  const at = before === undefined ? 0 : known.clips.findIndex(({ id }) => id === before) + 1;
  if (before !== undefined && at === 0) return known;
  const isIn = new Set(clips.map(({ id }) => id));
  const ahead = known.clips.slice(0, at).filter(({ id }) => !isIn.has(id));
  if (!more) return { clips: [...ahead, ...clips], more };
  const to = replacedTo(known.clips, at, clips);
  // Nothing of it was known, so nothing is known of what follows it either.
  if (to === at) return { clips: [...ahead, ...clips], more };
  const behind = known.clips.slice(to).filter(({ id }) => !isIn.has(id));
  return { clips: [...ahead, ...clips, ...behind], more: behind.length === 0 ? more : known.more };
}

/** What is looked at: the first and the last, as places in the list. */
export type LoadedClips = { readonly from: number; readonly to: number };

/** A screen or two: the next part is there before its place is reached. */
const aheadClips = 40;

/** Behind which clips to ask, so that all that is looked at is as it is now. The beginning is always among them. */
export function firstPages({ clips, more }: Listed, { from, to }: LoadedClips): (string | undefined)[] {
  const befores = new Set<string | undefined>([undefined]);
  for (let part = Math.floor(from / partClips); part <= Math.floor(to / partClips); part += 1) {
    const before = clips[part * partClips - 1];
    if (before) befores.add(before.id);
  }
  const last = clips.at(-1);
  if (more && last && to >= clips.length - aheadClips) befores.add(last.id);
  return [...befores];
}
