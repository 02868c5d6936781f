// Decides which error reports get a clip, and with which seconds.
import { errorLabel } from "./notes.ts";
import type { MomentRequest } from "./planner.ts";
import type { MomentRule } from "./schedule.ts";

/** An error report as the monitor passes it on. */
export type ErrorReport = {
  /** Id of the event. */
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

/** The clip of an error has a rule of its own, because errors have no event id. */
const errorRule: MomentRule = {
  action: "clip",
  preMs: 20_000,
  postMs: 3_000,
  mergeGapMs: 8_000,
  longestMs: 120_000,
  cooldownMs: 0,
  priority: 500,
};
/** How long the clip of an error waits at most. The footage before it must still be in the replay buffer. */
const errorWaitMsMax = 30_000;
const hourMs = 3_600_000;
const hourlyMax = 20;

/** Limits how many error reports get a clip. */
export class ErrorClipLimiter {
  readonly #now: () => number;
  /** Returns the longest pre-roll of any rule: so much later, a highlight may still cover an error. */
  readonly #longestPreMs: () => number;
  /** Events that got a clip within the last hour, each with the time of its request. */
  #granted: ReadonlyMap<string, number> = new Map();

  constructor(now: () => number, longestPreMs: () => number) {
    [this.#now, this.#longestPreMs] = [now, longestPreMs];
  }

  /** Returns undefined if the limit for an hour is reached. A report that is passed twice counts once. */
  requestFor({ event, seq, game, message, atMs }: ErrorReport): MomentRequest | undefined {
    const nowMs = this.#now();
    this.#granted = new Map([...this.#granted].filter(([, requestedMs]) => nowMs - requestedMs < hourMs));
    if (!this.#granted.has(event) && this.#granted.size >= hourlyMax) return undefined;
    this.#granted = new Map([...this.#granted, [event, this.#granted.get(event) ?? nowMs]]);
    const rule = { ...errorRule, waitMs: Math.min(this.#longestPreMs(), errorWaitMsMax) };
    const { priority } = rule;
    return {
      moment: { event, seq, kind: "monitor", eventId: null, label: errorLabel(message), priority, atMs },
      game,
      rule,
    };
  }
}
