// Actions on posts. Each shows a toast with undo, or an error at the post.
import {
  approvePost,
  type BodyOf,
  changePost,
  type Delivery,
  type Post,
  settleDelivery,
  skipPost,
  undoPost,
} from "@kit/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useClient } from "../../api/session.ts";
import { postEventName, postToasts } from "../../ui/posts/post-text.ts";
import { useToast } from "../../ui/toast.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { updateCachedPost } from "./use-posts.ts";

type PostChange = BodyOf<typeof changePost>;
type Settled = BodyOf<typeof settleDelivery>["as"];
type PostCalls = ReturnType<typeof usePostCalls>;

/** The API calls of the actions. Each reply updates the cached lists at once, before they are fetched again. */
function usePostCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const keep = async (answer: Promise<Post>) => {
      const post = await answer;
      updateCachedPost(queryClient, post);
      return post;
    };
    return {
      approve: (id: string) => keep(client.call(approvePost, { params: { id } })),
      skip: (id: string) => keep(client.call(skipPost, { params: { id } })),
      undo: (id: string) => keep(client.call(undoPost, { params: { id } })),
      change: (id: string, body: PostChange) => keep(client.call(changePost, { params: { id }, body })),
      settle: (id: string, account: string, as: Settled) =>
        keep(client.call(settleDelivery, { params: { id, account }, body: { as } })),
      /** Fetches what the replies do not contain, such as counts. */
      settled: () => queryClient.invalidateQueries({ queryKey: ["posts"] }),
    };
  }, [client, queryClient]);
}

type Step = { readonly says: string; readonly undo?: () => void };

export type PostCommands = {
  readonly approve: (post: Post) => void;
  readonly approveAll: (posts: readonly Post[]) => void;
  readonly skip: (post: Post) => void;
  readonly undo: (post: Post) => void;
  /** Resolves to true if the change was saved. */
  readonly change: (post: Post, change: PostChange) => Promise<boolean>;
  readonly settle: (post: Post, delivery: Delivery, as: Settled) => void;
};

/**
 * Maximum decided posts that stay where they were in the list. Beyond that, the one decided first moves to the section
 * of its state.
 */
const decidedMax = 20;

const postName = (post: Post) => visibleLine(postEventName(post), 80);
const secondsUntil = (at: string | null) =>
  at === null ? 0 : Math.max(0, Math.round((Date.parse(at) - Date.now()) / 1_000));

/** Whether an approved post waits long enough to be undone. */
const canBeUndone = ({ sendsAt }: Post) => secondsUntil(sendsAt) > 0;

/** Remembers the last error of each post, and the posts that were decided on this page. */
function useOutcomes() {
  const [troubles, setTroubles] = useState<ReadonlyMap<string, string>>(new Map());
  const [decided, setDecided] = useState<readonly string[]>([]);
  const markDecided = useCallback((id: string) => {
    setTroubles((before) => new Map([...before].filter(([known]) => known !== id)));
    setDecided((before) => [...before.filter((known) => known !== id), id].slice(-decidedMax));
  }, []);
  const refused = useCallback(
    (id: string, error: unknown) =>
      setTroubles((before) => new Map([...before, [id, error instanceof Error ? error.message : String(error)]])),
    [],
  );
  return { troubles, decided, markDecided, refused };
}

type Outcomes = ReturnType<typeof useOutcomes>;

/** Creates the actions. If a call fails, its error is shown at the post and the action resolves to undefined. */
function createCommands(calls: PostCalls, { markDecided, refused }: Outcomes, say: (step: Step) => void): PostCommands {
  const take = async (id: string, answer: Promise<Post>): Promise<Post | undefined> => {
    try {
      const post = await answer;
      markDecided(id);
      return post;
    } catch (error) {
      refused(id, error);
      return undefined;
    }
  };
  const end = () => void calls.settled();
  /** Ids of the posts with a running request. Pressing a key twice acts on them only once. */
  const asked = new Set<string>();
  const step = async (post: Post, ask: () => Promise<Post>, stepOf: (now: Post) => Step): Promise<boolean> => {
    if (asked.has(post.id)) return false;
    asked.add(post.id);
    const now = await take(post.id, ask());
    asked.delete(post.id);
    if (now !== undefined) say(stepOf(now));
    end();
    return now !== undefined;
  };
  const undo = (post: Post) =>
    step(
      post,
      () => calls.undo(post.id),
      () => ({ says: postToasts.undone(postName(post)) }),
    );
  const undoAll = async (posts: readonly Post[]) => {
    let count = 0;
    for (const { id } of posts) if (await take(id, calls.undo(id))) count += 1;
    say({ says: postToasts.undoneAll(count) });
    end();
  };
  const approveAll = async (posts: readonly Post[]) => {
    const approved: Post[] = [];
    // One request after another, so that the launcher does not receive a hundred at once.
    for (const { id } of posts) {
      const post = await take(id, calls.approve(id));
      if (post !== undefined) approved.push(post);
    }
    const says = postToasts.approvedAll(approved.length, posts.length - approved.length);
    say({ says, ...(approved.some(canBeUndone) && { undo: () => void undoAll(approved) }) });
    end();
  };
  return {
    approve: (post) =>
      void step(
        post,
        () => calls.approve(post.id),
        (now) => ({
          says: postToasts.approved(postName(post), secondsUntil(now.sendsAt)),
          ...(canBeUndone(now) && { undo: () => void undo(post) }),
        }),
      ),
    approveAll: (posts) => void approveAll(posts),
    skip: (post) =>
      void step(
        post,
        () => calls.skip(post.id),
        () => ({
          says: postToasts.skipped(postName(post)),
          undo: () => void undo(post),
        }),
      ),
    undo: (post) => void undo(post),
    change: (post, change) =>
      step(
        post,
        () => calls.change(post.id, change),
        () => ({ says: postToasts.kept(postName(post)) }),
      ),
    settle: (post, { account }, as) =>
      void step(
        post,
        () => calls.settle(post.id, account, as),
        () => ({ says: postToasts.settled[as] }),
      ),
  };
}

export function usePostCommands() {
  const calls = usePostCalls();
  const outcomes = useOutcomes();
  const { markDecided, refused, troubles, decided } = outcomes;
  const { message: done, show, dismiss: forget } = useToast();
  const say = useCallback(({ says, undo }: Step) => show(says, undo), [show]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the commands use only the members of `outcomes` that are listed
  const commands = useMemo(() => createCommands(calls, outcomes, say), [calls, markDecided, refused, say]);
  return { commands, done, forget, troubles, decided };
}
