// Requests of other slices for footage: the moment joins a clip like any other, and the file is handed out once it is final.

import { type Clip, KitError, type Message, type PostPart } from "@kit/contract";
import { message, toMessage } from "@kit/contract/messages";
import type { Recorder } from "../capture/recorder.ts";
import type { ClipFiles } from "../clips/clip-files.ts";
import type { StoredClip } from "../clips/clip-row.ts";
import type { ClipStore } from "../clips/clip-store.ts";
import type { ClipLibrary } from "../clips/library.ts";
import { formatSeconds } from "../plans/notes.ts";
import { bestMoment, distanceToFootageMs, type Moment, offsetInFile } from "../plans/plan.ts";
import type { ClipPlanner, MomentRequest, PlannedWrite } from "../plans/planner.ts";
import type { RecordingRules } from "../plans/rules.ts";
import { toMomentRule } from "../plans/schedule.ts";
import type { ClipJobs } from "./jobs.ts";

export type FootageRequest = {
  /** Id of the event. */
  readonly event: string;
  readonly seq: number;
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  readonly kind: "clip" | "screenshot";
};

export type FootageStatus =
  | { readonly state: "pending" }
  /** There will be no footage. The reason is written for people. */
  | { readonly state: "none"; readonly reason: Message }
  | {
      readonly state: "saved";
      /** Id of the clip. */
      readonly id: string;
      readonly kind: "clip" | "screenshot";
      readonly path: string;
      readonly bytes: number;
      /** 0 for a screenshot. */
      readonly seconds: number;
      readonly width: number;
      readonly height: number;
      /** Path of a JPEG. */
      readonly poster: string | null;
      /** The part around the event, as long as its rule says; null if that is the whole clip, or for the footage of a clip. */
      readonly momentPart: PostPart | null;
      /** Where the clip shows the event; null if its poster shows it. */
      readonly pictureSeconds: number | null;
    };

export type FootageRequestsDeps = {
  readonly planner: Pick<ClipPlanner, "planFootage">;
  readonly jobs: Pick<ClipJobs, "planById" | "distanceToFootageMs">;
  readonly rules: Pick<RecordingRules, "ruleOf">;
  readonly store: Pick<ClipStore, "find" | "findByEvent">;
  readonly library: Pick<ClipLibrary, "get">;
  readonly files: Pick<ClipFiles, "picturePath">;
  readonly recorder: Pick<Recorder, "markGameActive">;
  readonly isOn: (game: string | null) => boolean;
  readonly startedAtMs: () => number;
  /** Returns the label of an event, used as a title and as a chapter name. */
  readonly labelOf: (eventId: string, game: string | null) => string;
  /** Writes a planned moment. Resolves when it is durable. */
  readonly write: (planned: PlannedWrite) => Promise<void>;
};

export type FootageRequests = {
  /** Resolves when a clip is planned durably, or known to be impossible. A repeated request for an event changes nothing. */
  requestFootage(request: FootageRequest): Promise<void>;
  statusOf(event: string): Promise<FootageStatus>;
  /** Returns the footage of a clip, whatever its moments are. */
  statusOfClip(id: string): Promise<FootageStatus>;
  /**
   * Starts the requests that wait for the end of recovery. Before, recovery could take their clips for those of the previous run.
   */
  releaseWaiting(): void;
  /** Rejects the requests that still wait. Call it when the launcher stops. */
  rejectWaiting(): void;
};

/** How many requests are remembered. For an older one without a clip, only the reason is lost. */
const requestsMax = 5_000;

type RequestState = {
  readonly done: Promise<void>;
  isPending: boolean;
  /** Why there is no footage, for an event without a clip. */
  reason: Message;
};

const none = (reason: Message): FootageStatus => ({ state: "none", reason });
const notRequested = message("footage.not_requested");
const clipGone = message("footage.clip_gone");
const beforeStart = message("footage.before_start");
const switchedOff = (game: string | null) =>
  game === null ? message("recording.switched_off") : message("recording.switched_off_for_game", { game });

/** A clip that is longer than the seconds around an event by less than this is posted whole. */
const wholeClipSeconds = 1;
/** Rounds as contracts and file names do. */
const toMilliseconds = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof KitError) || error.code !== "not_found") throw error;
}

export function createFootageRequests(deps: FootageRequestsDeps): FootageRequests {
  const { planner, jobs, rules, store, library, recorder } = deps;
  const requests = new Map<string, RequestState>();
  const recovered = Promise.withResolvers<void>();
  // Without this, a rejection would count as unhandled while no request waits.
  recovered.promise.catch(() => undefined);

  const toMomentRequest = ({ event, seq, eventId, game, atMs, kind }: FootageRequest): MomentRequest => {
    const rule = rules.ruleOf(eventId);
    const { priority } = rule;
    return {
      moment: { event, seq, kind: "social", eventId, label: deps.labelOf(eventId, game), priority, atMs },
      game,
      // No cooldown: it exists to keep the library small, and posts have a limit of their own.
      rule: { ...toMomentRule(rule, kind), cooldownMs: 0 },
    };
  };
  /** Resolves to the reason why there will be no footage, or to undefined if a clip is planned. */
  const plan = async (request: FootageRequest): Promise<Message | undefined> => {
    await recovered.promise;
    // The previous run of the launcher may already have planned it.
    if ((await store.findByEvent(request.event)) !== undefined) return undefined;
    const momentRequest = toMomentRequest(request);
    if (request.atMs + momentRequest.rule.postMs <= deps.startedAtMs()) return beforeStart;
    if (!deps.isOn(request.game)) return switchedOff(request.game);
    recorder.markGameActive();
    const planned = planner.planFootage(momentRequest);
    if ("reason" in planned) return planned.reason;
    await deps.write(planned);
    return undefined;
  };
  const remember = (event: string, planning: Promise<Message | undefined>): Promise<void> => {
    const finish = (reason: Message) => void Object.assign(request, { isPending: false, reason });
    const done = planning.then((reason) => finish(reason ?? clipGone));
    const request: RequestState = { done, isPending: true, reason: clipGone };
    // A failed request is not remembered, so that the next call tries again.
    done.catch(() => requests.delete(event));
    requests.set(event, request);
    if (requests.size > requestsMax) requests.delete(requests.keys().next().value ?? event);
    return done;
  };

  /** Returns how far the moment of the event is from the footage of the clip. Only with 0 does the clip show the event. */
  const distanceMs = ({ id, startedAt, duration, events }: Clip, event: string): number => {
    const moment = events.find((one) => one.id === event);
    if (moment === undefined) return 0;
    const fromMs = Date.parse(startedAt);
    const atMs = Date.parse(moment.at);
    const footage = { fromMs, toMs: fromMs + duration * 1_000, gaps: [] };
    return Math.max(distanceToFootageMs(footage, atMs), jobs.distanceToFootageMs(id, { atMs }));
  };
  /** Returns what a post of the event shows of a clip that may be of more than the event. */
  const shownIn = ({ startedAt, duration }: Clip, moments: readonly Moment[], event: string | null) => {
    const moment = moments.find((one) => one.event === event);
    if (moment === undefined) return { momentPart: null, pictureSeconds: null };
    const atSeconds = offsetInFile(moment, Date.parse(startedAt)) / 1_000;
    const { preSeconds, postSeconds } = rules.ruleOf(moment.eventId ?? "");
    const part = {
      fromSeconds: Math.max(0, toMilliseconds(atSeconds - preSeconds)),
      toSeconds: Math.min(duration, toMilliseconds(atSeconds + postSeconds)),
    };
    const isLonger = duration - (part.toSeconds - part.fromSeconds) > wholeClipSeconds;
    const isOfOther = bestMoment(moments)?.event !== event;
    return {
      momentPart: isLonger ? part : null,
      pictureSeconds: isOfOther ? toMilliseconds(Math.min(Math.max(0, atSeconds), duration)) : null,
    };
  };
  /** `event` is null if any footage of the clip will do. */
  const savedStatus = (event: string | null, clip: Clip, moments: readonly Moment[]): FootageStatus => {
    const { id, kind, path, bytes, duration, width, height } = clip;
    if (kind === "marker" || clip.state !== "saved") return none(toMessage(clip.reason ?? clipGone));
    if (clip.deletedAt !== null) return none(message("footage.clip_in_trash"));
    if (path === null || clip.missing) return none(message("footage.file_gone"));
    const missedMs = kind === "clip" && event !== null ? distanceMs(clip, event) : 0;
    if (missedMs > 0) return none(message("footage.misses_moment", { seconds: formatSeconds(missedMs) }));
    const poster = clip.poster ? deps.files.picturePath(id, "poster") : null;
    const shown = clip.kind === "clip" ? shownIn(clip, moments, event) : { momentPart: null, pictureSeconds: null };
    return { state: "saved", id, kind, path, bytes, seconds: duration, width, height, poster, ...shown };
  };

  const clipStatus = async (
    { clip: { id, state }, moments }: StoredClip,
    event: string | null,
  ): Promise<FootageStatus> => {
    // A clip in progress may still grow. Its file would then be replaced.
    if (state === "pending" || jobs.planById(id) !== undefined) return { state: "pending" };
    // `get` also looks for the file. The clip may have been deleted in between.
    const clip = await library.get(id).catch(ignoreNotFound);
    return clip === undefined ? none(clipGone) : savedStatus(event, clip, moments);
  };

  return {
    requestFootage: (request) => requests.get(request.event)?.done ?? remember(request.event, plan(request)),
    async statusOf(event) {
      // Looks for the request before the row: a request that is planned in between then counts as pending, not as unknown.
      const { isPending = false, reason = notRequested } = requests.get(event) ?? {};
      const stored = await store.findByEvent(event);
      if (stored === undefined) return isPending ? { state: "pending" } : none(reason);
      return clipStatus(stored, event);
    },
    async statusOfClip(id) {
      const stored = await store.find(id);
      return stored === undefined ? none(clipGone) : clipStatus(stored, null);
    },
    releaseWaiting: recovered.resolve,
    rejectWaiting: () => recovered.reject(new Error("the launcher ends")),
  };
}
