// Posts as a person works with them: listed, edited, approved, taken back, skipped.
import { KitError, type Post, type PostSettings, type PostState } from "@kit/contract";
import type { Serialize } from "../../async/serial.ts";
import type { Statement } from "../../storage/sql.ts";
import type { WordsOf } from "../rules/values.ts";
import { withFootage } from "./arrival.ts";
import { type Footage, footageFor, noFootage, pendingFootage } from "./asked-footage.ts";
import type { Judge } from "./judge.ts";
import type { StoredPost } from "./post-row.ts";
import { approved, draftAgain, edited, ended, type PostFilter, type PostStore, type PostWords } from "./post-store.ts";
import type { Said } from "./receipts.ts";

const anHourMs = 3_600_000;

export type PostsNeeds = {
  readonly store: Pick<PostStore, "list" | "find" | "drafts">;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly serialize: Serialize;
  readonly judge: Judge;
  readonly settings: () => Promise<PostSettings>;
  readonly footageOf: (event: string) => Promise<Footage>;
  readonly said: Said;
  /** Of a delivery that is prepared: how much of its footage is done. */
  readonly progressOf: (post: string, account: string) => number | null;
  readonly now: () => number;
  readonly wordsOf: WordsOf;
  /** Something is another now, and durable. */
  readonly onChanged: () => void;
};

type Change = { readonly [Name in keyof PostWords]?: PostWords[Name] | undefined };
type Listing = Omit<PostFilter, "beforeSeq"> & { readonly before: string | null };

export type Posts = ReturnType<typeof createPosts>;

const stands: Readonly<Record<PostState, string>> = {
  draft: "It is a draft",
  approved: "It is approved: undo that first",
  sending: "It is being sent already",
  sent: "It is sent already",
  unsure: "A network may have it: settle its delivery instead",
  failed: "It failed: settle its delivery instead",
  skipped: "It was skipped: undo that first",
  expired: "It expired: undo that first",
};

const invalid = (message: string, path?: string) =>
  new KitError("payload_invalid", message, path === undefined ? [] : [{ path, message }]);
const mustBe = (kept: StoredPost, ...states: readonly PostState[]) => {
  if (!states.includes(kept.post.state)) throw invalid(`${stands[kept.post.state]}.`);
};

export function createPosts(needs: PostsNeeds) {
  const { store, write, serialize, judge, settings, footageOf, said, progressOf, now, onChanged } = needs;

  const find = async (id: string): Promise<StoredPost> => {
    const found = await store.find(id);
    if (found === undefined) throw new KitError("not_found", "There is no such post. `kit posts` lists them.");
    return found;
  };
  const shown = ({ post }: StoredPost): Post => ({
    ...post,
    deliveries: post.deliveries.map((delivery) =>
      delivery.state === "preparing" ? { ...delivery, progress: progressOf(post.id, delivery.account) } : delivery,
    ),
  });
  /** One decision after the other. */
  const decide = (id: string, decision: (kept: StoredPost) => Promise<void>): Promise<Post> =>
    serialize(async () => {
      const before = await find(id);
      await decision(before);
      return shown(await find(id));
    });
  const keep = async (...statements: Statement[]) => {
    await write(...statements);
    onChanged();
  };
  const expiresMs = async () => now() + (await settings()).expireHours * anHourMs;
  /** As it is now: what was made may have been deleted since, or be cut anew with a later moment. */
  const asItIs = async (kept: StoredPost) => {
    const { attach, event, footage } = kept.post;
    const isSettled = attach === "none" || footage.state === "pending";
    return withFootage(kept, isSettled ? footage : footageFor(attach, await footageOf(event)), needs);
  };

  const change = async (kept: StoredPost, wanted: Change) => {
    mustBe(kept, "draft");
    const { post, without } = kept;
    const text = wanted.text?.toWellFormed() ?? post.text;
    const altText = wanted.altText?.toWellFormed() ?? post.altText;
    const contentWarning = wanted.contentWarning?.toWellFormed() ?? post.contentWarning;
    const { attach = post.attach, visibility = post.visibility } = wanted;
    const isOther = attach !== post.attach;
    const footage = !isOther ? post.footage : attach === "none" ? noFootage : pendingFootage;
    const words = { text, altText, contentWarning, attach, visibility };
    const [problem] = await judge({ ...post, ...words, footage, without });
    const asks = problem?.says ?? null;
    // What a person wrote is not written over.
    const textLater = text === post.text && attach === "clip" ? kept.textLater : null;
    const altLater = altText === post.altText && attach === "clip" ? kept.altLater : null;
    await keep(edited(kept.seq, { ...words, footage, asks, textLater, altLater }));
  };
  const approve = async (kept: StoredPost) => {
    if (kept.post.state === "approved") return;
    mustBe(kept, "draft");
    const { changed: post, problem } = await asItIs(kept);
    if (problem !== undefined) {
      await keep(edited(kept.seq, post));
      throw invalid(problem.says, problem.path);
    }
    const sendsMs = now() + (await settings()).undoSeconds * 1_000;
    const when = `by a person; not sent before ${new Date(sendsMs).toISOString()}`;
    await keep(edited(kept.seq, post), approved(kept.seq, sendsMs), said(kept, "approved", when));
  };
  const undo = async (kept: StoredPost) => {
    if (kept.post.state === "draft") return;
    mustBe(kept, "approved", "skipped", "expired");
    const { changed: post } = await asItIs(kept);
    await write(edited(kept.seq, post), draftAgain(kept.seq, await expiresMs(), post.asks));
    const { post: after } = await find(kept.post.id);
    // Whoever sends may have been first.
    if (after.state !== "draft") throw invalid(`${stands[after.state]}.`);
    const why =
      kept.post.state === "approved" ? "the approval was taken back" : `it was ${kept.post.state}, and taken up again`;
    await keep(said(kept, "drafted", why));
  };
  const skip = async (kept: StoredPost) => {
    if (kept.post.state === "skipped") return;
    mustBe(kept, "draft");
    await keep(ended(kept.seq, "skipped"), said(kept, "ignored", "a person skipped it"));
  };

  return {
    /** Throws KitError when there is no post `before`. */
    async list({ before, ...filter }: Listing, limit: number) {
      const beforeSeq = before === null ? Number.MAX_SAFE_INTEGER : (await find(before)).seq;
      const [{ kept, more }, drafts] = await Promise.all([store.list({ ...filter, beforeSeq }, limit), store.drafts()]);
      return { posts: kept.map(shown), more, drafts };
    },
    get: async (id: string): Promise<Post> => shown(await find(id)),
    change: (id: string, wanted: Change) => decide(id, (kept) => change(kept, wanted)),
    approve: (id: string) => decide(id, approve),
    undo: (id: string) => decide(id, undo),
    skip: (id: string) => decide(id, skip),
  };
}
