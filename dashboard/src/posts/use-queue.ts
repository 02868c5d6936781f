// The posts as the page lays them out: the queue, which moves for nobody's hand, what is on its way, and what happened.
import { useCallback, useMemo, useState } from "react";
import type { PostView } from "./post-view.ts";
import { queueOf } from "./queue.ts";
import { isPast, type usePostLists } from "./use-posts.ts";

const nobody: readonly string[] = [];
const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((id, index) => id === b[index]);

export function useQueue(view: PostView, lists: ReturnType<typeof usePostLists>) {
  const of = `${view.state ?? ""} ${view.game ?? ""}`;
  const [shown, setShown] = useState({ of, ids: nobody });
  const before = shown.of === of ? shown.ids : nobody;
  const { waiting, moving, past, known, isReady } = lists;
  const queue = useMemo(
    () => (isReady ? queueOf({ before, waiting, known }) : { posts: [], arrived: 0 }),
    [before, waiting, known, isReady],
  );
  const ids = queue.posts.map(({ id }) => id);
  // What is shown is the beginning of what is shown next.
  if (isReady && (shown.of !== of || !isSame(shown.ids, ids))) setShown({ of, ids });
  const isIn = new Set(ids);
  const rest = {
    moving: moving.filter(({ id }) => !isIn.has(id)),
    past: view.state === undefined ? past.filter((post) => isPast(post) && !isIn.has(post.id)) : past,
  };
  /** Takes in what waits to be asked for, and lets go of what was decided. */
  const renew = useCallback(() => setShown({ of, ids: nobody }), [of]);
  return { queue: queue.posts, arrived: queue.arrived, ...rest, renew };
}
