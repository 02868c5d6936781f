// Queries for posts, updates of their cached lists, and the queue of posts, in which no post moves while a person
// decides.
import { getPost, listPosts, type Post, type PostState, postsPageMax, type ReplyOf } from "@kit/contract";
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { PostView } from "../../api/address-filters.ts";
import { useClient } from "../../api/session.ts";

const pagePosts = 30;
/** Polling interval while footage is being converted or a post is being sent. */
const movingRefetchMs = 2_000;

type PostPage = ReplyOf<typeof listPosts>;

type PostQuery = Omit<PostView, "event"> & { readonly needs?: boolean };

function usePostPages(name: string, asked: PostQuery, limit: number, enabled = true) {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ["posts", name, asked],
    queryFn: ({ pageParam: before }) =>
      client.call(listPosts, { query: { ...asked, limit, ...(before === undefined ? {} : { before }) } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.more ? page.posts.at(-1)?.id : undefined),
    enabled,
  });
}

const postsOf = (data: InfiniteData<PostPage> | undefined) => data?.pages.flatMap((page) => page.posts) ?? [];

/** Fetches the posts that are being sent or wait to be sent, however old they are. */
function useMovingPosts(game: PostView["game"], enabled: boolean) {
  const client = useClient();
  const of = game === undefined ? {} : { game };
  return useQuery({
    queryKey: ["posts", "moving", of],
    queryFn: async () => {
      const lists = await Promise.all(
        (["sending", "approved"] as const).map((state) =>
          client.call(listPosts, { query: { ...of, state, limit: pagePosts } }),
        ),
      );
      return lists.flatMap(({ posts }) => posts);
    },
    enabled,
    refetchInterval: ({ state }) => (state.data?.some((post) => post.state === "sending") ? movingRefetchMs : false),
  });
}

/** Fetches the posts that were just decided on this page, by id. */
function usePostsById(ids: readonly string[]): Post[] {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ["posts", "one", id],
      queryFn: () => client.call(getPost, { params: { id } }),
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
}

/** `decided`: ids of posts just decided on this page. They stay on the page, below those that wait. */
export function usePostLists({ state, game }: PostView, decided: readonly string[]) {
  const whole = state === undefined;
  const of = game === undefined ? {} : { game };
  const waiting = usePostPages("waiting", { ...of, needs: true }, postsPageMax, whole);
  const moving = useMovingPosts(game, whole);
  const heldBack = usePostPages("held", { ...of, state: "held" }, pagePosts, whole);
  const past = usePostPages("past", { ...of, ...(state && { state }) }, pagePosts);
  const ones = usePostsById(whole ? decided : noIds);
  const lists = useMemo(() => {
    const waits = whole ? postsOf(waiting.data) : [];
    const moves = whole ? (moving.data ?? []) : [];
    const holds = whole ? postsOf(heldBack.data) : [];
    const all = postsOf(past.data);
    // If several lists contain a post, the last one counts: posts fetched by id are the newest, then those of the short
    // lists.
    const known = new Map([...all, ...holds, ...waits, ...moves, ...ones].map((post) => [post.id, post]));
    const held = holds.filter(({ id }) => known.get(id)?.state === "held");
    return { waiting: waits, held, moving: moves, past: all, known };
  }, [whole, waiting.data, heldBack.data, moving.data, past.data, ones]);
  const isReady = past.isSuccess && (!whole || (waiting.isSuccess && heldBack.isSuccess && moving.isSuccess));
  const error = waiting.error ?? heldBack.error ?? moving.error ?? past.error;
  return { ...lists, pages: { waiting, held: heldBack, past }, isReady, error };
}

const noIds: readonly string[] = [];

/** Replaces a post in every cached list, before the lists are fetched again. */
export function updateCachedPost(queryClient: QueryClient, post: Post): void {
  const renewed = (posts: readonly Post[]) => posts.map((known) => (known.id === post.id ? post : known));
  queryClient.setQueryData(["posts", "one", post.id], post);
  for (const name of ["waiting", "held", "past"])
    queryClient.setQueriesData<InfiniteData<PostPage>>(
      { queryKey: ["posts", name] },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, posts: renewed(page.posts) })) },
    );
  queryClient.setQueriesData<Post[]>({ queryKey: ["posts", "moving"] }, (posts) => posts && renewed(posts));
}

const pendingStates: readonly PostState[] = ["draft", "unsure", "failed"];

/** Whether a post waits for a person's decision. */
const needsDecision = ({ state }: Pick<Post, "state">): boolean => pendingStates.includes(state);

/** Whether a post needs no decision, is not held back and is not being sent. */
const isPastPost = (post: Post): boolean =>
  !needsDecision(post) && post.state !== "held" && post.state !== "approved" && post.state !== "sending";

const draftsFirst = (posts: readonly Post[]) => [
  ...posts.filter(({ state }) => state === "draft"),
  ...posts.filter(({ state }) => state !== "draft"),
];

type QueueInput = {
  /** Ids of the posts in the order in which they are shown now. */
  readonly before: readonly string[];
  /** Posts that wait for a decision, newest first. */
  readonly waiting: readonly Post[];
  /** Every post that the page knows, in its current version. */
  readonly known: ReadonlyMap<string, Post>;
};

type PostQueue = {
  readonly posts: readonly Post[];
  /** How many new drafts are not shown yet. */
  readonly newDrafts: number;
};

/**
 * Returns the queue in a fixed order, also of the posts that were decided meanwhile. New drafts are added only when nothing
 * else is left to decide.
 */
export function buildQueue({ before, waiting, known }: QueueInput): PostQueue {
  const shown = before.flatMap((id) => known.get(id) ?? []);
  const open = shown.filter(needsDecision);
  const others = waiting.filter(({ id }) => !before.includes(id));
  if (open.length === 0) return { posts: [...draftsFirst(others), ...shown], newDrafts: 0 };
  const newest = shown.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  // The rest are new drafts. All others are added now: at the end, they move no other post.
  const late = others.filter(({ createdAt, state }) => state !== "draft" || createdAt <= newest);
  return { posts: [...shown, ...late], newDrafts: others.length - late.length };
}

/** Returns the next draft after a post, or else the first one before it. */
export function nextDraft(posts: readonly Post[], id: string): string | undefined {
  const at = posts.findIndex((post) => post.id === id);
  const line = [...posts.slice(at + 1), ...posts.slice(0, Math.max(at, 0))];
  return line.find(({ state }) => state === "draft")?.id;
}

const haveSameIds = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** Sorts the posts into the sections of the page. A decided draft keeps its position until `renew` is called. */
export function usePostQueue(view: PostView, lists: ReturnType<typeof usePostLists>) {
  const scope = `${view.state ?? ""} ${view.game ?? ""}`;
  const [shown, setShown] = useState({ scope, ids: noIds });
  const before = shown.scope === scope ? shown.ids : noIds;
  const { waiting, held, moving, past, known, isReady } = lists;
  const queue = useMemo(
    () => (isReady ? buildQueue({ before, waiting, known }) : { posts: [], newDrafts: 0 }),
    [before, waiting, known, isReady],
  );
  const ids = queue.posts.map(({ id }) => id);
  // Stored, because at the next update the shown ids must keep their order.
  if (isReady && (shown.scope !== scope || !haveSameIds(shown.ids, ids))) setShown({ scope, ids });
  const queuedIds = new Set(ids);
  const rest = {
    held,
    moving: moving.filter(({ id }) => !queuedIds.has(id)),
    past: view.state === undefined ? past.filter((post) => isPastPost(post) && !queuedIds.has(post.id)) : past,
  };
  /** Adds new drafts, and removes those that were decided. */
  const renew = useCallback(() => setShown({ scope, ids: noIds }), [scope]);
  const open = queue.posts.filter(needsDecision);
  const decided = queue.posts.filter((post) => !needsDecision(post));
  return { waiting: open, decided, arrived: queue.newDrafts, ...rest, renew };
}
