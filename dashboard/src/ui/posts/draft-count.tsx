// Shows how many drafts are waiting, beside the Posts link in the top bar.
import { listPosts } from "@kit/contract";
import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../api/session-context.ts";
import { draftCountText } from "./post-text.ts";

const shownMax = 99;
/** How often drafts are counted even without a message of the feed, which may be disconnected. */
const refetchMs = 60_000;

function useDraftCount() {
  const client = useClient();
  return useQuery({
    queryKey: ["posts", "drafts"],
    queryFn: async () => (await client.call(listPosts, { query: { limit: 1 } })).drafts,
    refetchInterval: refetchMs,
    retry: false,
  });
}

export function DraftCount() {
  const count = useDraftCount().data ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span className="count nav-count" aria-hidden="true">
        {count > shownMax ? `${shownMax}+` : count}
      </span>
      <span className="unseen">, {draftCountText(count)}</span>
    </>
  );
}
