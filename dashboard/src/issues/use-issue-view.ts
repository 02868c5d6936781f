// The list's view as the address holds it: changing one changes the other.
import { useCallback, useMemo } from "react";
import { issuesAddress, replaceAddress, useFragment } from "../frame/address.ts";
import type { ViewChange } from "./issue-filter-bar.tsx";
import { type IssueView, issueQueryOf, issueViewIn } from "./issue-view.ts";
import { useForgetLists } from "./use-issues.ts";

export function useIssueView(): [IssueView, (change: ViewChange) => void] {
  const fragment = useFragment();
  const view = useMemo(() => issueViewIn(fragment), [fragment]);
  const forgetLists = useForgetLists();
  const change = useCallback(
    (members: ViewChange) => {
      forgetLists();
      const next = { ...issueViewIn(location.hash), ...members } as IssueView;
      replaceAddress(issuesAddress(undefined, issueQueryOf(next)));
    },
    [forgetLists],
  );
  return [view, change];
}
