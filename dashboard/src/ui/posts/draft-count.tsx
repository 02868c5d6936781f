// Number of drafts beside the Posts link in the top bar.
import { useDraftCount } from "../../api/use-posts.ts";
import { draftCountText } from "./post-text.ts";

const shownMax = 99;

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
