// What a person does with posts, each step said in a toast with its way back, each refusal beside the post it is about.
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
import { useCallback, useMemo, useRef, useState } from "react";
import { useClient } from "../../api/session-context.ts";
import { keepPost } from "../../api/use-posts.ts";
import type { Done } from "../toast.tsx";
import { visibleLine } from "../visible-text.ts";
import { doneWords, eventWord } from "./post-words.ts";

type PostChange = BodyOf<typeof changePost>;
type Settled = BodyOf<typeof settleDelivery>["as"];
type PostCalls = ReturnType<typeof usePostCalls>;

/**
 * What a person does with posts, one call each; every answer is shown at once, before the lists are asked again.
 */
function usePostCalls() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const keep = async (answer: Promise<Post>) => {
      const post = await answer;
      keepPost(queryClient, post);
      return post;
    };
    return {
      approve: (id: string) => keep(client.call(approvePost, { params: { id } })),
      skip: (id: string) => keep(client.call(skipPost, { params: { id } })),
      undo: (id: string) => keep(client.call(undoPost, { params: { id } })),
      change: (id: string, body: PostChange) => keep(client.call(changePost, { params: { id }, body })),
      settle: (id: string, account: string, as: Settled) =>
        keep(client.call(settleDelivery, { params: { id, account }, body: { as } })),
      /** Asks for what the answers do not tell: counts, and what else changed. */
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
  /** Resolves to whether it was kept. */
  readonly change: (post: Post, change: PostChange) => Promise<boolean>;
  readonly settle: (post: Post, delivery: Delivery, as: Settled) => void;
};

/** So many decided posts stay in their places; older ones go to where they are listed. */
const decidedMax = 20;

const nameOf = (post: Post) => visibleLine(eventWord(post), 80);
const secondsUntil = (at: string | null) =>
  at === null ? 0 : Math.max(0, Math.round((Date.parse(at) - Date.now()) / 1_000));

/** What each post's last refusal was, and which posts were decided here. */
function useOutcomes() {
  const [troubles, setTroubles] = useState<ReadonlyMap<string, string>>(new Map());
  const [decided, setDecided] = useState<readonly string[]>([]);
  const fine = useCallback((id: string) => {
    setTroubles((before) => new Map([...before].filter(([known]) => known !== id)));
    setDecided((before) => [...before.filter((known) => known !== id), id].slice(-decidedMax));
  }, []);
  const refused = useCallback(
    (id: string, error: unknown) =>
      setTroubles((before) => new Map([...before, [id, error instanceof Error ? error.message : String(error)]])),
    [],
  );
  return { troubles, decided, fine, refused };
}

type Outcomes = ReturnType<typeof useOutcomes>;

/** Says what was done; a step that was refused says so at its post and resolves to undefined. */
function doingOf(calls: PostCalls, { fine, refused }: Outcomes, say: (step: Step) => void): PostCommands {
  const take = async (id: string, answer: Promise<Post>): Promise<Post | undefined> => {
    try {
      const post = await answer;
      fine(id);
      return post;
    } catch (error) {
      refused(id, error);
      return undefined;
    }
  };
  const end = () => void calls.settled();
  /** Posts whose last step is not answered yet: the same key pressed twice means it once. */
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
      () => ({ says: doneWords.undone(nameOf(post)) }),
    );
  const undoAll = async (posts: readonly Post[]) => {
    let count = 0;
    for (const { id } of posts) if (await take(id, calls.undo(id))) count += 1;
    say({ says: doneWords.undoneAll(count) });
    end();
  };
  const approveAll = async (posts: readonly Post[]) => {
    const approved: Post[] = [];
    // One after the other: a launcher beside a game is not asked a hundred things at once.
    for (const { id } of posts) {
      const post = await take(id, calls.approve(id));
      if (post !== undefined) approved.push(post);
    }
    const says = doneWords.approvedAll(approved.length, posts.length - approved.length);
    say({ says, ...(approved.length > 0 && { undo: () => void undoAll(approved) }) });
    end();
  };
  return {
    approve: (post) =>
      void step(
        post,
        () => calls.approve(post.id),
        ({ sendsAt }) => ({
          says: doneWords.approved(nameOf(post), secondsUntil(sendsAt)),
          undo: () => void undo(post),
        }),
      ),
    approveAll: (posts) => void approveAll(posts),
    skip: (post) =>
      void step(
        post,
        () => calls.skip(post.id),
        () => ({
          says: doneWords.skipped(nameOf(post)),
          undo: () => void undo(post),
        }),
      ),
    undo: (post) => void undo(post),
    change: (post, change) =>
      step(
        post,
        () => calls.change(post.id, change),
        () => ({ says: doneWords.kept(nameOf(post)) }),
      ),
    settle: (post, { account }, as) =>
      void step(
        post,
        () => calls.settle(post.id, account, as),
        () => ({ says: doneWords.settled[as] }),
      ),
  };
}

export function usePostCommands() {
  const calls = usePostCalls();
  const outcomes = useOutcomes();
  const { fine, refused, troubles, decided } = outcomes;
  const [done, setDone] = useState<Done>();
  const count = useRef(0);
  const say = useCallback((step: Step) => {
    count.current += 1;
    setDone({ number: count.current, ...step });
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the outcomes only what never changes is used
  const doing = useMemo(() => doingOf(calls, outcomes, say), [calls, fine, refused, say]);
  const forget = useCallback(() => setDone(undefined), []);
  return { doing, done, forget, troubles, decided };
}
