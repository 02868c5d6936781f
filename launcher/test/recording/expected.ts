// Support: computes from the triggers alone which footage the rules ask for, to compare with the recorded clips.
import type { Trigger } from "./scene.ts";

/** The rule of every trigger of a run, in milliseconds. */
export type WindowRule = {
  readonly preMs: number;
  readonly postMs: number;
  readonly mergeGapMs: number;
  readonly longestMs: number;
};

/** The events that share a clip. Nothing else is taken from the launcher. */
export type Group = { readonly clip: string; readonly events: readonly string[] };

export type Expected = {
  readonly clip: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly triggers: readonly Trigger[];
};

/** The ranges that these groups must have, in order of time. No second is in two of them. */
export function expectedWindows(triggers: readonly Trigger[], groups: readonly Group[], rule: WindowRule): Expected[] {
  const grouped = groups.map(({ clip, events }) => ({
    clip,
    triggers: triggers.filter(({ id }) => events.includes(id)).toSorted((a, b) => a.atMs - b.atMs),
  }));
  const firstMs = (each: { triggers: readonly Trigger[] }) => each.triggers[0]?.atMs ?? Number.NaN;
  let endMs = Number.NEGATIVE_INFINITY;
  return grouped
    .toSorted((a, b) => firstMs(a) - firstMs(b))
    .map((group) => {
      const fromMs = Math.max(firstMs(group) - rule.preMs, endMs);
      const toMs = Math.min((group.triggers.at(-1)?.atMs ?? Number.NaN) + rule.postMs, fromMs + rule.longestMs);
      endMs = toMs;
      return { ...group, fromMs, toMs };
    });
}

/** The mistakes in how the triggers were grouped into clips, a line each. */
export function groupingFaults(triggers: readonly Trigger[], windows: readonly Expected[], rule: WindowRule): string[] {
  const faults: string[] = [];
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(3)} s`;
  for (const { id, eventId, atMs } of triggers) {
    const holding = windows.filter((window) => window.triggers.some((each) => each.id === id));
    if (holding.length !== 1) faults.push(`${eventId} (${id}) is listed in ${holding.length} clips`);
    const showing = windows.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
    if (showing.length !== 1) faults.push(`the moment of ${eventId} (${id}) is shown in ${showing.length} clips`);
  }
  for (const [index, window] of windows.entries()) {
    const next = windows[index + 1]?.triggers[0];
    if (next === undefined) continue;
    const distanceMs = next.atMs - window.toMs;
    const joinedMs = next.atMs + rule.postMs - window.fromMs;
    // The clip may have been closed when it arrived.
    const isLate = next.arrivedMs > window.toMs + rule.mergeGapMs;
    if (!isLate && distanceMs <= rule.mergeGapMs && joinedMs <= rule.longestMs) {
      faults.push(`${next.eventId} begins a clip ${seconds(distanceMs)} after the previous one, which it had to join`);
    }
  }
  for (const { clip, triggers: together } of windows) {
    for (const [index, later] of together.entries()) {
      const earlier = together[index - 1];
      if (earlier === undefined) continue;
      const distanceMs = later.atMs - earlier.atMs - rule.postMs;
      if (distanceMs > rule.mergeGapMs) faults.push(`clip ${clip} joins moments that are ${seconds(distanceMs)} apart`);
    }
  }
  return faults;
}
