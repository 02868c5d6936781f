// The posts as the launcher lists them, fetched again whenever the feed says they changed.
import { getPost, listPosts, type Post, postsPageMax, type ReplyOf } from "@kit/contract";
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { needsPerson } from "./post-queue.ts";
import type { PostView } from "./post-view.ts";
import { useClient } from "./session-context.ts";

const pagePosts = 30;
/** For a page whose feed broke without a word. */
const everyMs = 60_000;
/** While footage is made to fit or a request is out. */
const movingEveryMs = 2_000;

type PostPage = ReplyOf<typeof listPosts>;

/** How many drafts wait, for the bar over every page. */
export function useDrafts() {
  const client = useClient();
  return useQuery({
    queryKey: ["posts", "drafts"],
    queryFn: async () => (await client.call(listPosts, { query: { limit: 1 } })).drafts,
    refetchInterval: everyMs,
    retry: false,
  });
}

type Asked = Omit<PostView, "event"> & { readonly needs?: boolean };

function usePages(name: string, asked: Asked, limit: number, enabled = true) {
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

/** What is on its way, however long ago it was made. */
function useMoving(game: PostView["game"], enabled: boolean) {
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
    refetchInterval: ({ state }) => (state.data?.some((post) => post.state === "sending") ? movingEveryMs : false),
  });
}

/** Posts that were decided on this page a moment ago, wherever they are listed now. */
function useDecided(ids: readonly string[]): Post[] {
  const client = useClient();
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ["posts", "one", id],
      queryFn: () => client.call(getPost, { params: { id } }),
    })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
}

/** `decided`: ids of posts that stay in their places although they were decided on. */
export function usePostLists({ state, game }: PostView, decided: readonly string[]) {
  const whole = state === undefined;
  const of = game === undefined ? {} : { game };
  const waiting = usePages("waiting", { ...of, needs: true }, postsPageMax, whole);
  const moving = useMoving(game, whole);
  const past = usePages("past", { ...of, ...(state && { state }) }, pagePosts);
  const ones = useDecided(whole ? decided : noIds);
  const lists = useMemo(() => {
    const waits = whole ? postsOf(waiting.data) : [];
    const moves = whole ? (moving.data ?? []) : [];
    const all = postsOf(past.data);
    // What was asked for by itself is the newest, then the short lists.
    const known = new Map([...all, ...waits, ...moves, ...ones].map((post) => [post.id, post]));
    return { waiting: waits, moving: moves, past: all, known };
  }, [whole, waiting.data, moving.data, past.data, ones]);
  const isReady = past.isSuccess && (!whole || (waiting.isSuccess && moving.isSuccess));
  return { ...lists, pages: { waiting, past }, isReady, error: waiting.error ?? moving.error ?? past.error };
}

const noIds: readonly string[] = [];

/** What is neither in the queue nor on its way. */
export const isPast = (post: Post): boolean =>
  !needsPerson(post) && post.state !== "approved" && post.state !== "sending";

/** Shows an answer in every list at once, before they are asked again. */
export function keepPost(queryClient: QueryClient, post: Post): void {
  const renewed = (posts: readonly Post[]) => posts.map((known) => (known.id === post.id ? post : known));
  queryClient.setQueryData(["posts", "one", post.id], post);
  for (const name of ["waiting", "past"])
    queryClient.setQueriesData<InfiniteData<PostPage>>(
      { queryKey: ["posts", name] },
      (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, posts: renewed(page.posts) })) },
    );
  queryClient.setQueriesData<Post[]>({ queryKey: ["posts", "moving"] }, (posts) => posts && renewed(posts));
}
