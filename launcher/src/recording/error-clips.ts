// Which error reports get a clip: those the monitor asks for, and not many an hour.
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
const anHourMs = 3_600_000;
const hourlyMax = 20;

export function createErrorClips(now: () => number): ErrorClips {
  /** Events of the last hour that got one, and when they were asked for. */
  let granted: ReadonlyMap<string, number> = new Map();
  return {
    wishFor({ event, seq, game, message, atMs }) {
      granted = new Map([...granted].filter(([, askedMs]) => now() - askedMs < anHourMs));
      if (!granted.has(event) && granted.size >= hourlyMax) return undefined;
      granted = new Map([...granted, [event, granted.get(event) ?? now()]]);
      return { moment: { event, seq, kind: "monitor", eventId: null, label: labelOfError(message), atMs }, game, rule };
    },
  };
}
