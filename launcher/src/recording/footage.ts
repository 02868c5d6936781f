// Footage that was asked for an event: it joins the clips of its time, and is handed out once its file stays as it is.
import { type Clip, KitError } from "@kit/contract";
import type { Recorder } from "./capture/recorder.ts";
import type { ClipJobs } from "./clip-jobs/clip-jobs.ts";
import { missedBy } from "./clip-jobs/coverage.ts";
import type { ClipPlanner, Taken, Wish } from "./clip-planner.ts";
import type { ClipFiles } from "./clips/clip-files.ts";
import type { ClipStore } from "./clips/clip-store.ts";
import type { Library } from "./clips/library.ts";
import { momentRuleOf } from "./moments/moment-rule.ts";
import type { Rules } from "./moments/rules.ts";
import { seconds } from "./said.ts";

export type WantedFootage = {
  /** The event's own id. */
  readonly event: string;
  readonly seq: number;
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  readonly kind: "clip" | "screenshot";
};

export type Footage =
  | { readonly state: "pending" }
  /** And never will be: why, for a person. */
  | { readonly state: "none"; readonly reason: string }
  | {
      readonly state: "saved";
      /** The clip's. */
      readonly id: string;
      readonly kind: "clip" | "screenshot";
      readonly path: string;
      readonly bytes: number;
      /** 0 for a screenshot. */
      readonly seconds: number;
      readonly width: number;
      readonly height: number;
      /** A JPEG. */
      readonly poster: string | null;
    };

export type FootageNeeds = {
  readonly intake: Pick<ClipPlanner, "takeFootage">;
  readonly making: Pick<ClipJobs, "planOf" | "missedMs">;
  readonly rules: Pick<Rules, "ruleOf">;
  readonly store: Pick<ClipStore, "ofEvent">;
  readonly library: Pick<Library, "get">;
  readonly files: Pick<ClipFiles, "picturePathOf">;
  readonly recorder: Pick<Recorder, "gameActive">;
  readonly isOn: (game: string | null) => boolean;
  readonly startedAtMs: () => number;
  /** An event in words: a title, a chapter's name. */
  readonly wordsOf: (eventId: string, game: string | null) => string;
  /** Resolves when what was taken is durable. */
  readonly keep: (taken: Taken) => Promise<void>;
};

export type AskedFootage = {
  /** Idempotent by event id. Resolves when it is promised durably, or known that there will be none. */
  request(wanted: WantedFootage): Promise<void>;
  of(event: string): Promise<Footage>;
  /** What an earlier run left is told apart from what is promised now: until then requests wait. */
  ready(): void;
  /** The launcher ends: those that still wait are rejected. */
  stop(): void;
};

/** What is told of one event. Beyond it the oldest are forgotten, which matters only to those without a clip. */
const askedMax = 5_000;

type Asked = {
  readonly placed: Promise<void>;
  isUnderWay: boolean;
  /** Why there is none, where no clip holds it. */
  reason: string;
};

const none = (reason: string): Footage => ({ state: "none", reason });
const neverAsked = "no footage was asked for it, or its clip was deleted";
const gone = "its clip was deleted, or could not be cut anew with its moment";
const startedLater = "no footage reaches back to its time: the launcher was started after it";
const switchedOff = (game: string | null) =>
  game === null ? "recording is switched off" : `recording is switched off for ${game}`;

function undefinedWhenGone(error: unknown): undefined {
  if (!(error instanceof KitError) || error.code !== "not_found") throw error;
}

export function createFootage(needs: FootageNeeds): AskedFootage {
  const { intake, making, rules, store, library, recorder } = needs;
  const asked = new Map<string, Asked>();
  const ready = Promise.withResolvers<void>();
  // Nobody may be waiting for it.
  ready.promise.catch(() => undefined);

  const wishOf = ({ event, seq, eventId, game, atMs, kind }: WantedFootage): Wish => ({
    moment: { event, seq, kind: "social", eventId, label: needs.wordsOf(eventId, game), atMs },
    game,
    // A cooldown keeps a library small; whoever wants footage for a post has a measure of their own.
    rule: { ...momentRuleOf(rules.ruleOf(eventId), kind), cooldownMs: 0 },
  });
  /** Why there will be none; undefined when it is promised. */
  const place = async (wanted: WantedFootage): Promise<string | undefined> => {
    await ready.promise;
    // An earlier run promised it.
    if ((await store.ofEvent(wanted.event)) !== undefined) return undefined;
    const wish = wishOf(wanted);
    if (wanted.atMs + wish.rule.postMs <= needs.startedAtMs()) return startedLater;
    if (!needs.isOn(wanted.game)) return switchedOff(wanted.game);
    recorder.gameActive();
    const taken = intake.takeFootage(wish);
    if ("reason" in taken) return taken.reason;
    await needs.keep(taken);
    return undefined;
  };
  const remember = (event: string, placing: Promise<string | undefined>): Promise<void> => {
    const entry: Asked = { placed: placing.then((reason) => settle(reason ?? gone)), isUnderWay: true, reason: gone };
    const settle = (reason: string) => void Object.assign(entry, { isUnderWay: false, reason });
    // Whoever asks again begins anew.
    entry.placed.catch(() => asked.delete(event));
    asked.set(event, entry);
    if (asked.size > askedMax) asked.delete(asked.keys().next().value ?? event);
    return entry.placed;
  };

  /** A moment that the footage does not show was not saved, whatever else is in the file. */
  const missedMs = ({ id, startedAt, duration, events }: Clip, event: string): number => {
    const moment = events.find((one) => one.id === event);
    if (moment === undefined) return 0;
    const fromMs = Date.parse(startedAt);
    const atMs = Date.parse(moment.at);
    const shown = { fromMs, toMs: fromMs + duration * 1_000, holes: [] };
    return Math.max(missedBy(shown, atMs), making.missedMs(id, { atMs }));
  };
  const savedFor = (event: string, clip: Clip): Footage => {
    const { id, kind, path, bytes, duration, width, height } = clip;
    if (kind === "marker" || clip.state !== "saved") return none(clip.reason ?? gone);
    if (clip.deletedAt !== null) return none("its clip lies in the bin");
    if (path === null || clip.missing) return none("its file is not in the clips folder any more");
    const missed = kind === "clip" ? missedMs(clip, event) : 0;
    if (missed > 0) return none(`nothing was recorded at its moment, only ${seconds(missed)} s away from it`);
    const poster = clip.poster ? needs.files.picturePathOf(id, "poster") : null;
    return { state: "saved", id, kind, path, bytes, seconds: duration, width, height, poster };
  };

  return {
    request: (wanted) => asked.get(wanted.event)?.placed ?? remember(wanted.event, place(wanted)),
    async of(event) {
      // Before the row is read: what is promised meanwhile is pending, not unheard of.
      const { isUnderWay = false, reason = neverAsked } = asked.get(event) ?? {};
      const kept = await store.ofEvent(event);
      if (kept === undefined) return isUnderWay ? { state: "pending" } : none(reason);
      const { id, state } = kept.clip;
      // While it is made it may still grow: its file would be another one a second later.
      if (state === "pending" || making.planOf(id) !== undefined) return { state: "pending" };
      // Looks at the file, too. It may have been deleted since.
      const clip = await library.get(id).catch(undefinedWhenGone);
      return clip === undefined ? none(gone) : savedFor(event, clip);
    },
    ready: ready.resolve,
    stop: () => ready.reject(new Error("the launcher ends")),
  };
}
