// The footage of posts: what the recording slice tells about it, how posts wait for it, and what a post makes of it.
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  type Attachment,
  fieldError,
  type Message,
  type MessageOrText,
  type Names,
  type PostFootage,
  type PostPart,
  type PostSettings,
  payloadInvalid,
  postPartSecondsMin,
  textOf,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import { fillTemplate, templateValues } from "../rules/template.ts";
import { attachmentName } from "../text-fit.ts";
import {
  type PostStore,
  type PostUpdate,
  postedSeconds,
  returnToDraft,
  type StoredPost,
  updatePost,
} from "./post-store.ts";
import type { FindProblems } from "./problems.ts";
import type { ReceiptStatement } from "./receipts.ts";

export type FootageRequest = {
  /** Id of the event. */
  readonly event: string;
  readonly seq: number;
  readonly eventId: string;
  readonly game: string | null;
  readonly atMs: number;
  readonly kind: Exclude<Attachment, "none">;
};

/** What a post gets its footage from: its event, or the clip that a person made it from. */
export type FootageOwner = { readonly event: string | null; readonly fromClip: string | null };

export type EventFootage =
  | { readonly state: "pending" }
  /** There will never be footage of the event. */
  | { readonly state: "none"; readonly reason: MessageOrText }
  | {
      readonly state: "saved";
      /** Id of the clip. */
      readonly id: string;
      readonly kind: Exclude<Attachment, "none">;
      /** 0 for a screenshot. */
      readonly seconds: number;
      readonly poster: string | null;
      /** The part around the event; null if that is the whole clip. */
      readonly momentPart: PostPart | null;
      /** Where the clip shows the event; null if its poster shows it. */
      readonly pictureSeconds: number | null;
    };

const nothing = {
  says: null,
  clip: null,
  seconds: null,
  clipSeconds: null,
  part: null,
  momentPart: null,
  pictureSeconds: null,
} as const;
export const noFootage: PostFootage = { state: "none", ...nothing };
export const pendingFootage: PostFootage = { state: "pending", ...nothing };
const missingFootage = (says: MessageOrText): PostFootage => ({ ...nothing, state: "missing", says });

/** Measured lengths of one file differ by less. */
const roundedSeconds = 0.05;

/**
 * Returns the footage of a post. A clip also serves a post with a picture; a screenshot does not serve a post with a clip.
 * Keeps the part that the post has already, as long as its clip is the same.
 */
export function footageOfPost(attach: Attachment, footage: EventFootage, before?: PostFootage): PostFootage {
  if (attach === "none") return noFootage;
  if (footage.state === "pending") return pendingFootage;
  if (footage.state === "none") return missingFootage(footage.reason);
  const { id: clip, kind, seconds, poster, pictureSeconds } = footage;
  if (attach === "clip" && kind === "screenshot") return missingFootage(message("footage.only_screenshot"));
  if (attach === "screenshot" && kind === "clip" && poster === null)
    return missingFootage(message("footage.clip_without_picture"));
  const none = {
    state: "ready",
    says: null,
    clip,
    seconds: null,
    clipSeconds: null,
    part: null,
    momentPart: null,
  } as const;
  if (attach === "screenshot") return { ...none, pictureSeconds };
  const isSame =
    before?.state === "ready" &&
    before.clip === clip &&
    Math.abs((before.clipSeconds ?? 0) - seconds) <= roundedSeconds;
  const { part, momentPart } = isSame ? before : { part: footage.momentPart, momentPart: footage.momentPart };
  const clipSeconds = isSame ? before.clipSeconds : seconds;
  return { ...none, clipSeconds, part, momentPart, pictureSeconds, seconds: postedSeconds({ part, clipSeconds }) };
}

/** Whether both show a person the same. */
export const isSameFootage = (one: PostFootage, other: PostFootage): boolean =>
  one.clip === other.clip && one.clipSeconds === other.clipSeconds && isDeepStrictEqual(one.part, other.part);

/** Throws KitError if the post cannot carry this part of its clip. */
export function footageWithPart(footage: PostFootage, part: PostPart | null): PostFootage {
  const { clipSeconds } = footage;
  if (clipSeconds === null) throw payloadInvalid(message("post.part_needs_clip"));
  if (part !== null) {
    const { fromSeconds, toSeconds } = part;
    const refuse = (problem: Message): never => {
      throw payloadInvalid(problem, fieldError("/part/toSeconds", problem));
    };
    if (toSeconds > clipSeconds + roundedSeconds)
      refuse(message("post.part_ends_late", { seconds: clipSeconds.toFixed(2) }));
    if (toSeconds - fromSeconds < postPartSecondsMin)
      refuse(message("post.part_too_short", { seconds: postPartSecondsMin }));
  }
  return { ...footage, part, seconds: postedSeconds({ part, clipSeconds }) };
}

type FootageWatchDeps = {
  readonly store: Pick<PostStore, "waitingForFootage">;
  /** May be called repeatedly for an event. Resolves when it is known whether there will be footage. */
  readonly requestFootage: (wanted: FootageRequest) => Promise<void>;
  readonly footageOf: (post: FootageOwner) => Promise<EventFootage>;
  /** Called when the footage of a post exists, or never will. */
  readonly onArrived: (kept: StoredPost, footage: EventFootage) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

export type FootageWatch = {
  request(wanted: FootageRequest): void;
  /** Checks all waiting posts soon. Cheap, so any change may call it. */
  checkWaiting(): void;
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

/** Maximum posts read at once. */
const batchMax = 100;
/** Pause between two checks, because a clip changes often while it is made. */
const checkPauseMs = 200;
/** Delay before a failed check is repeated. Otherwise only a change starts a check, and there might be none. */
const retryMs = 10_000;

/** Returns undefined for a post without footage, and for one of a clip, which exists already. */
function footageRequestOf({ post, eventSeq: seq }: StoredPost): FootageRequest | undefined {
  const { event, eventId, game, happenedAt, attach: kind } = post;
  if (kind === "none" || event === null || eventId === null || seq === null) return undefined;
  return { event, seq, eventId, game, atMs: Date.parse(happenedAt), kind };
}

/** Watches the footage that posts wait for, also across restarts, and calls `onArrived` when it exists or never will. */
export function createFootageWatch(needs: FootageWatchDeps): FootageWatch {
  const { store, requestFootage, footageOf, onArrived, onFailure } = needs;
  /** The requests of this run, by event. Those of earlier runs are made again; the recording slice recognises them. */
  const requests = new Map<string, "asking" | "asked">();
  let isWanted = false;
  let checking: Promise<void> | undefined;
  const stopping = new AbortController();
  const isStopped = () => stopping.signal.aborted;

  const onCheckFailed = (error: unknown) => {
    if (isStopped()) return;
    onFailure("footage", error);
    setTimeout(checkWaiting, retryMs).unref();
  };
  const request = async (wanted: FootageRequest): Promise<void> => {
    requests.set(wanted.event, "asking");
    try {
      await requestFootage(wanted);
      requests.set(wanted.event, "asked");
      checkWaiting();
    } catch (error) {
      // The next check requests it again.
      requests.delete(wanted.event);
      onCheckFailed(error);
    }
  };
  const checkPost = async (kept: StoredPost): Promise<void> => {
    const wanted = footageRequestOf(kept);
    const standing = requests.get(wanted?.event ?? "");
    if (wanted !== undefined && standing !== "asked") return standing === undefined ? void request(wanted) : undefined;
    const footage = await footageOf(kept.post);
    if (footage.state === "pending") return;
    await onArrived(kept, footage);
    if (wanted !== undefined) requests.delete(wanted.event);
  };
  const checkAll = async (): Promise<void> => {
    isWanted = false;
    const waiting = new Set<string>();
    let after = 0;
    for (;;) {
      const posts = await store.waitingForFootage(after, batchMax);
      for (const kept of posts) {
        if (isStopped()) return;
        if (kept.post.event !== null) waiting.add(kept.post.event);
        await checkPost(kept);
      }
      after = posts.at(-1)?.seq ?? after;
      if (posts.length < batchMax) break;
    }
    // Forgets requests that no post waits for. A post whose insertion was not committed yet will repeat its request.
    for (const [event, standing] of requests) if (standing === "asked" && !waiting.has(event)) requests.delete(event);
  };
  const run = async (): Promise<void> => {
    while (isWanted && !isStopped()) {
      await checkAll().catch(onCheckFailed);
      await pause(checkPauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
    checking = undefined;
  };
  const checkWaiting = () => {
    if (isStopped()) return;
    isWanted = true;
    checking ??= run();
  };
  return {
    request: (wanted) => {
      if (!requests.has(wanted.event)) void request(wanted);
    },
    checkWaiting,
    async stop() {
      stopping.abort();
      await checking;
    },
  };
}

const anHourMs = 3_600_000;

type FootageArrivalDeps = {
  readonly store: Pick<PostStore, "find">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly findProblems: FindProblems;
  readonly settings: () => Promise<PostSettings>;
  readonly receiptStatement: ReceiptStatement;
  readonly now: () => number;
  readonly names: Names;
  readonly onChanged: () => void;
};

/** Returns the post with this footage, and its problem if it has one. Text that a person wrote stays as it is. */
export async function applyFootage(
  kept: StoredPost,
  footage: PostFootage,
  { findProblems, names }: Pick<FootageArrivalDeps, "findProblems" | "names">,
) {
  const { post, without, textLater, altLater } = kept;
  const { eventId, title, game, happenedAt } = post;
  const isReady = footage.state === "ready";
  const clipSeconds = isReady ? footage.seconds : null;
  const values = templateValues({ eventId, title, game, atMs: Date.parse(happenedAt), clipSeconds }, names);
  const text = isReady && textLater !== null ? fillTemplate(textLater, values) : post.text;
  const altText = isReady && altLater !== null ? fillTemplate(altLater, values) : post.altText;
  const { contentWarning, attach, visibility } = post;
  const [problem] = await findProblems({ ...post, text, footage, without });
  const words = { text, altText, contentWarning, attach, visibility };
  const changed: PostUpdate = { ...words, footage, textLater, altLater, asks: problem?.says ?? null };
  return { changed, problem };
}

/** Updates a post when its footage exists or never will: fills in its texts, and continues or asks a person. */
export function createFootageArrivalHandler(needs: FootageArrivalDeps) {
  const { store, write, serialize, settings, receiptStatement, now, onChanged } = needs;
  return (waiting: StoredPost, came: EventFootage): Promise<void> =>
    serialize(async () => {
      const kept = await store.find(waiting.post.id);
      // Does nothing if a person changed the attachment meanwhile.
      if (kept?.post.footage.state !== "pending" || kept.post.attach !== waiting.post.attach) return;
      const { changed: post } = await applyFootage(kept, footageOfPost(kept.post.attach, came), needs);
      const statements = [updatePost(kept.seq, post)];
      if (kept.post.state === "approved" && post.asks !== null) {
        const { expireHours } = await settings();
        statements.push(
          returnToDraft(kept.seq, now() + expireHours * anHourMs, post.asks),
          receiptStatement(kept, "drafted", message("post.not_sent_yet", { problem: post.asks })),
        );
      } else if (kept.post.state === "approved" && post.footage.state === "missing") {
        const reason = { attachment: attachmentName(post.attach), reason: post.footage.says ?? "" };
        statements.push(receiptStatement(kept, "approved", message("post.goes_without", reason)));
      } else if (
        kept.post.state === "draft" &&
        post.asks !== null &&
        textOf(post.asks) !== textOf(kept.post.asks ?? "")
      ) {
        statements.push(receiptStatement(kept, "drafted", post.asks));
      }
      await write(...statements);
      onChanged();
    });
}
