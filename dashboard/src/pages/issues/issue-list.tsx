// The rows of the list, and moving through them by keyboard.
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import type { ListedIssue } from "./issue-pages.ts";
import { IssueRow } from "./issue-row.tsx";
import { focusIssue } from "./selection-moves.ts";

/** When the row with the focus leaves, the one that takes its place gets it; else the keyboard starts over. */
function useFocusKept(rows: readonly ListedIssue[]) {
  const before = useRef<readonly ListedIssue[]>([]);
  const focused = useRef<string>(undefined);
  useEffect(() => {
    const left = focused.current;
    if (left !== undefined && !rows.some(({ id }) => id === left) && document.activeElement === document.body) {
      const at = before.current.findIndex(({ id }) => id === left);
      const next = [...before.current.slice(at + 1), ...before.current.slice(0, at).toReversed()];
      const heir = next.find(({ id }) => rows.some((row) => row.id === id));
      if (heir !== undefined) focusIssue(heir.id);
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
  /** The issue a person comes back from. */
  from: string | undefined;
};

export function IssueList({ rows, query, nowMs, selected, onSelect, from }: Props) {
  const [visited, setVisited] = useState(from);
  const focused = useFocusKept(rows);
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
      <p className="issue-columns" aria-hidden="true">
        <span>{t("Error")}</span>
        <span>{t("24 hours")}</span>
        <span>{t("Reports")}</span>
        <span>{t("Seen")}</span>
        <span>{t("State")}</span>
      </p>
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
