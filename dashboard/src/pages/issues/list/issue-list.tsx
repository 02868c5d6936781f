// The rows of the issue list, with keyboard navigation.
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../../../language/language.ts";
import type { ListedIssue } from "../merged-pages.ts";
import { IssueColumnHeadings, IssueRow } from "./issue-row.tsx";
import { focusIssue } from "./row-focus.ts";

/**
 * Moves the focus to the next row when the focused row leaves the list. Otherwise a keyboard user would have to start
 * again at the top.
 */
function useFocusHandover(rows: readonly ListedIssue[]) {
  const before = useRef<readonly ListedIssue[]>([]);
  const focused = useRef<string>(undefined);
  useEffect(() => {
    const lost = focused.current;
    if (lost !== undefined && !rows.some(({ id }) => id === lost) && document.activeElement === document.body) {
      const at = before.current.findIndex(({ id }) => id === lost);
      const next = [...before.current.slice(at + 1), ...before.current.slice(0, at).toReversed()];
      const successor = next.find(({ id }) => rows.some((row) => row.id === id));
      if (successor !== undefined) focusIssue(successor.id);
    }
    before.current = rows;
  }, [rows]);
  return focused;
}

type Props = {
  rows: readonly ListedIssue[];
  query: string;
  nowMs: number;
  selected: ReadonlySet<string>;
  onSelect: (id: string) => void;
  /** The issue that was open before the list was shown. Its row gets the focus. */
  from: string | undefined;
};

export function IssueList({ rows, query, nowMs, selected, onSelect, from }: Props) {
  const [visited, setVisited] = useState(from);
  const focused = useFocusHandover(rows);
  const onVisit = useCallback(
    (id: string) => {
      focused.current = id;
      setVisited(id);
    },
    [focused],
  );
  useEffect(() => {
    if (from !== undefined) focusIssue(from);
  }, [from]);
  const stop = rows.some(({ id }) => id === visited) ? visited : rows[0]?.id;
  return (
    <div className="issue-list">
      <IssueColumnHeadings />
      <ol aria-label={t("Issues")}>
        {rows.map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            query={query}
            nowMs={nowMs}
            selected={selected.has(issue.id)}
            tabStop={issue.id === stop}
            onSelect={onSelect}
            onVisit={onVisit}
          />
        ))}
      </ol>
    </div>
  );
}
