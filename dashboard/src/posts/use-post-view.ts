// The list's view as the address holds it: changing one changes the other.
import { useCallback, useMemo } from "react";
import { postsAddress, replaceAddress, useFragment } from "../frame/address.ts";
import type { PostViewChange } from "./post-filter-bar.tsx";
import { type PostView, postQueryOf, postViewIn } from "./post-view.ts";

export function usePostView(): [PostView, (change: PostViewChange) => void] {
  const fragment = useFragment();
  const view = useMemo(() => postViewIn(fragment), [fragment]);
  const change = useCallback((members: PostViewChange) => {
    const next = { ...postViewIn(location.hash), ...members } as PostView;
    replaceAddress(postsAddress(postQueryOf(next)));
  }, []);
  return [view, change];
}
