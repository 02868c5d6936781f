// Lists, edits, approves, undoes and skips posts.

import {
  fieldError,
  KitError,
  type Message,
  type Names,
  type Post,
  type PostPart,
  type PostSettings,
  type PostState,
  payloadInvalid,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Serialize } from "../../async.ts";
import type { Statement } from "../../storage/sql.ts";
import {
  applyFootage,
  type EventFootage,
  type FootageOwner,
  footageOfPost,
  footageWithPart,
  isSameFootage,
  noFootage,
  pendingFootage,
} from "./post-footage.ts";
import {
  approvePost,
  closeDraft,
  type PostContent,
  type PostFilter,
  type PostStore,
  returnToDraft,
  type StoredPost,
  updatePost,
} from "./post-store.ts";
import type { FindProblems } from "./problems.ts";
import type { ReceiptStatement } from "./receipts.ts";

const anHourMs = 3_600_000;

export type PostsDeps = {
  readonly store: Pick<PostStore, "list" | "find" | "countDrafts" | "countHeld">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly findProblems: FindProblems;
  readonly settings: () => Promise<PostSettings>;
  readonly footageOf: (post: FootageOwner) => Promise<EventFootage>;
  readonly receiptStatement: ReceiptStatement;
  /** Returns the progress of a running delivery, from 0 to 1. */
  readonly progressOf: (post: string, account: string) => number | null;
  readonly now: () => number;
  readonly names: Names;
  /** Called after a change was committed. */
  readonly onChanged: () => void;
};

type Change = { readonly [Name in keyof PostContent]?: PostContent[Name] | undefined } & {
  readonly part?: PostPart | null | undefined;
};
type Listing = Omit<PostFilter, "beforeSeq"> & { readonly before: string | null };

export type Posts = ReturnType<typeof createPosts>;

const stateMessages: Readonly<Record<PostState, Message>> = {
  draft: message("post.is_draft"),
  held: message("post.is_held"),
  approved: message("post.is_approved"),
  sending: message("post.is_sending"),
  sent: message("post.is_sent"),
  unsure: message("post.is_unsure"),
  failed: message("post.is_failed"),
  skipped: message("post.is_skipped"),
  expired: message("post.is_expired"),
};

const requireState = (kept: StoredPost, ...states: readonly PostState[]) => {
  if (!states.includes(kept.post.state)) throw payloadInvalid(stateMessages[kept.post.state]);
};

export function createPosts(needs: PostsDeps) {
  const { store, write, serialize, settings, footageOf, receiptStatement, progressOf, now, onChanged } = needs;

  const find = async (id: string): Promise<StoredPost> => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", message("post.unknown"));
    return found;
  };
  const withProgress = ({ post }: StoredPost): Post => ({
    ...post,
    deliveries: post.deliveries.map((delivery) =>
      delivery.state === "preparing" ? { ...delivery, progress: progressOf(post.id, delivery.account) } : delivery,
    ),
  });
  /** Runs a person's decisions one after another, so that each sees the result of those before. */
  const decide = (id: string, decision: (kept: StoredPost) => Promise<void>): Promise<Post> =>
    serialize(async () => {
      const before = await find(id);
      await decision(before);
      return withProgress(await find(id));
    });
  const writeAndNotify = async (...statements: Statement[]) => {
    await write(...statements);
    onChanged();
  };
  const expiresMs = async () => now() + (await settings()).expireHours * anHourMs;
  /** Reads the footage again, because the clip may have been deleted or cut again since. */
  const withCurrentFootage = async (kept: StoredPost) => {
    const { attach, footage } = kept.post;
    const isSettled = attach === "none" || footage.state === "pending";
    return applyFootage(kept, isSettled ? footage : footageOfPost(attach, await footageOf(kept.post), footage), needs);
  };

  const change = async (kept: StoredPost, wanted: Change) => {
    requireState(kept, "draft", "held");
    const { post } = kept;
    const text = wanted.text?.toWellFormed() ?? post.text;
    const altText = wanted.altText?.toWellFormed() ?? post.altText;
    const contentWarning = wanted.contentWarning?.toWellFormed() ?? post.contentWarning;
    const { attach = post.attach, visibility = post.visibility } = wanted;
    const isOther = attach !== post.attach;
    const next = !isOther ? post.footage : attach === "none" ? noFootage : pendingFootage;
    const footage = wanted.part === undefined ? next : footageWithPart(next, wanted.part);
    const words = { text, altText, contentWarning, attach, visibility };
    // Text that a person changed is not filled in again later.
    const textLater = text === post.text && attach === "clip" ? kept.textLater : null;
    const altLater = altText === post.altText && attach === "clip" ? kept.altLater : null;
    const { changed } = await applyFootage(
      { ...kept, textLater, altLater, post: { ...post, ...words } },
      footage,
      needs,
    );
    await writeAndNotify(updatePost(kept.seq, changed));
  };
  const approve = async (kept: StoredPost) => {
    if (kept.post.state === "approved") return;
    requireState(kept, "draft", "held");
    const { changed: post, problem } = await withCurrentFootage(kept);
    if (problem !== undefined) {
      await writeAndNotify(updatePost(kept.seq, post));
      throw payloadInvalid(problem.says, fieldError(problem.path, problem.says));
    }
    // A person approves what the draft showed, and nothing else.
    if (kept.post.footage.state === "ready" && !isSameFootage(kept.post.footage, post.footage)) {
      await writeAndNotify(updatePost(kept.seq, post));
      throw payloadInvalid(message("post.clip_changed"));
    }
    const sendsMs = now() + (await settings()).undoSeconds * 1_000;
    const when = message("post.approved_by_person", { time: new Date(sendsMs).toISOString() });
    await writeAndNotify(
      updatePost(kept.seq, post),
      approvePost(kept.seq, sendsMs),
      receiptStatement(kept, "approved", when),
    );
  };
  const undo = async (kept: StoredPost) => {
    if (kept.post.state === "draft") return;
    requireState(kept, "approved", "skipped", "expired");
    const { changed: post } = await withCurrentFootage(kept);
    await write(updatePost(kept.seq, post), returnToDraft(kept.seq, await expiresMs(), post.asks));
    const { post: after } = await find(kept.post.id);
    // If sending has started meanwhile, it is too late to undo.
    if (after.state !== "draft") throw payloadInvalid(stateMessages[after.state]);
    const { state } = kept.post;
    const why =
      state === "approved" ? "post.approval_undone" : state === "skipped" ? "post.skip_undone" : "post.expiry_undone";
    await writeAndNotify(receiptStatement(kept, "drafted", message(why)));
  };
  const skip = async (kept: StoredPost) => {
    if (kept.post.state === "skipped") return;
    requireState(kept, "draft", "held");
    await writeAndNotify(
      closeDraft(kept.seq, "skipped"),
      receiptStatement(kept, "ignored", message("post.skipped_by_person")),
    );
  };

  return {
    /** Throws KitError if the post `before` does not exist. */
    async list({ before, ...filter }: Listing, limit: number) {
      const beforeSeq = before === null ? Number.MAX_SAFE_INTEGER : (await find(before)).seq;
      const [{ kept, more }, drafts, held] = await Promise.all([
        store.list({ ...filter, beforeSeq }, limit),
        store.countDrafts(),
        store.countHeld(),
      ]);
      return { posts: kept.map(withProgress), more, drafts, held };
    },
    get: async (id: string): Promise<Post> => withProgress(await find(id)),
    change: (id: string, wanted: Change) => decide(id, (kept) => change(kept, wanted)),
    approve: (id: string) => decide(id, approve),
    undo: (id: string) => decide(id, undo),
    skip: (id: string) => decide(id, skip),
  };
}
