// Which error reports get a clip: the first of each kind since the start, and not many an hour.

import type { MomentRule } from "./moments/windows.ts";
import type { Moment } from "./plan.ts";
import { labelOfError } from "./said.ts";

/** What the monitor knows of a report. */
export type ErrorReport = {
  /** The event's own id. */
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

export type ErrorClips = {
  /** What to record for it; undefined when nothing is. The same event is asked for twice after a failed write: it counts once. */
  wishFor(report: ErrorReport): { moment: Moment; game: string | null; rule: MomentRule } | undefined;
};

const rule: MomentRule = {
  action: "clip",
  preMs: 20_000,
  postMs: 3_000,
  mergeGapMs: 8_000,
  longestMs: 120_000,
  cooldownMs: 0,
  priority: 500,
};
const kindsMax = 1_000;
const anHourMs = 3_600_000;
const hourlyMax = 20;

/** Numbers are what differs between two reports of the same error: an address, a line, a count. */
const kindOf = ({ game, message }: ErrorReport) => JSON.stringify([game, message.slice(0, 500).replace(/\d+/g, "#")]);

export function createErrorClips(now: () => number): ErrorClips {
  /** Kinds that were seen, each with the event that was the first. Beyond the bound the oldest kind counts as new again. */
  const firsts = new Map<string, string>();
  let recent: readonly number[] = [];
  return {
    wishFor(report) {
      const kind = kindOf(report);
      const first = firsts.get(kind);
      if (first !== undefined && first !== report.event) return undefined;
      if (first === undefined) {
        recent = recent.filter((atMs) => now() - atMs < anHourMs);
        if (recent.length >= hourlyMax) return undefined;
        recent = [...recent, now()];
        firsts.set(kind, report.event);
        if (firsts.size > kindsMax) firsts.delete(firsts.keys().next().value ?? kind);
      }
      const { event, seq, game, message, atMs } = report;
      return { moment: { event, seq, kind: "monitor", eventId: null, label: labelOfError(message), atMs }, game, rule };
    },
  };
}
