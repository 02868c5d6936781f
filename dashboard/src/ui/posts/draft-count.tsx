// How many drafts wait, beside the name of their page in the bar.
import { useDrafts } from "../../api/use-posts.ts";
import { draftsWord } from "./post-words.ts";

const shownMax = 99;

export function DraftCount() {
  const count = useDrafts().data ?? 0;
  if (count === 0) return null;
  return (
    <>
      <span className="nav-count" aria-hidden="true">
        {count > shownMax ? `${shownMax}+` : count}
      </span>
      <span className="unseen">, {draftsWord(count)}</span>
    </>
  );
}
