// Goes to the post that an event became, when its address asks for it.
import type { Post } from "@kit/contract";
import { useEffect, useRef } from "react";
import { focusPost } from "./moving.ts";

/** Further back it is looked for by who wants it. */
const pagesMax = 8;

type Pages = {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  fetchNextPage: () => unknown;
};

export function useSoughtPost(event: string | undefined, posts: readonly Post[], pages: Pages): void {
  const found = useRef<string>(undefined);
  const post = posts.find((each) => each.event === event);
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  const count = pages.data?.pages.length ?? 0;
  useEffect(() => {
    if (event === undefined || found.current === event) return;
    if (post !== undefined) {
      found.current = event;
      focusPost(post.id);
    } else if (count > 0 && count < pagesMax && hasNextPage && !isFetching) void fetchNextPage();
  }, [event, post, count, hasNextPage, isFetching, fetchNextPage]);
}
