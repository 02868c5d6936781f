// The list of issues, its rows, and how the keyboard focus moves between them.
import { Checkbox } from "@radix-ui/themes";
import { memo, useCallback, useEffect, useRef, useState } from "react";
import { Trans, t } from "../../language/language.ts";
import { issuesAddress } from "../../ui/address.ts";
import { RelativeTime } from "../../ui/labels.tsx";
import { createListFocus } from "../../ui/list-focus.ts";
import { gameName, useNames } from "../../ui/names.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { Sparkline } from "./charts.tsx";
import { ErrorLocation, IssueBadges, IssueStateBadge } from "./issue-labels.tsx";
import { formatShortCount, hourBars, reportCountText } from "./issue-text.ts";
import type { ListedIssue } from "./use-issues.ts";

const rowLink = (row: HTMLElement) => row.querySelector<HTMLElement>("a.issue-link");

export const issueFocus = createListFocus({
  name: "issue",
  targetOf: rowLink,
  focusEntry: (row) => {
    rowLink(row)?.focus();
    row.scrollIntoView({ block: "nearest" });
  },
});

type IssueRowProps = {
  issue: ListedIssue;
  query: string;
  nowMs: number;
  selected: boolean;
  /** Only this row is in the tab order; j, k and the arrow keys move between rows. */
  tabStop: boolean;
  onSelect: (id: string) => void;
  onVisit: (id: string) => void;
};

/** A row of the list. ./issues.css sets the widths of its columns. */
const IssueRow = memo(function IssueRow({ issue, query, nowMs, selected, tabStop, onSelect, onVisit }: IssueRowProps) {
  useNames();
  const { id, title, game, count } = issue;
  const says = visibleLine(title, 300);
  const tabIndex = tabStop ? 0 : -1;
  return (
    <li className="issue-row" data-issue={id} data-selected={selected} onFocus={() => onVisit(id)}>
      <span className="issue-pick">
        <Checkbox
          aria-label={t("Select: {{title}}", { title: visibleLine(title, 80) })}
          checked={selected}
          tabIndex={tabIndex}
          onKeyDown={issueFocus.handleKey}
          onCheckedChange={() => onSelect(id)}
        />
      </span>
      <div className="issue-what">
        <a
          className="issue-link ellipsis"
          href={issuesAddress(id, query)}
          tabIndex={tabIndex}
          title={says}
          onKeyDown={issueFocus.handleKey}
        >
          <bdi>{says || t("An error without a message")}</bdi>
        </a>
        <p className="cluster small quiet issue-about">
          <IssueBadges issue={issue} />
          <ErrorLocation culprit={issue.culprit} />
          <bdi className="issue-game ellipsis">{gameName(game)}</bdi>
        </p>
      </div>
      <Sparkline spans={hourBars(issue.hours, nowMs)} />
      <span className="issue-count numbers" title={reportCountText(count)}>
        <span aria-hidden="true">{formatShortCount(count)}</span>
        <span className="unseen">{reportCountText(count)}</span>
      </span>
      <span className="issue-times small">
        <span>
          <span className="unseen">{t("Last seen")} </span>
          <RelativeTime at={issue.lastSeen} nowMs={nowMs} />
        </span>
        <span className="small quiet issue-first">
          <Trans i18nKey="first <ago/>" components={{ ago: <RelativeTime at={issue.firstSeen} nowMs={nowMs} /> }} />
        </span>
      </span>
      <IssueStateBadge issue={issue} />
    </li>
  );
});

/** The column headings. Hidden from screen readers, because each cell says what it contains. */
const IssueColumnHeadings = () => (
  <p className="issue-columns small quiet" aria-hidden="true">
    <span>{t("Error")}</span>
    <span>{t("24 hours")}</span>
    <span>{t("Reports")}</span>
    <span>{t("Last seen")}</span>
    <span>{t("State")}</span>
  </p>
);

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
      if (successor !== undefined) issueFocus.focus(successor.id);
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

/** The rows of the issue list, with keyboard navigation. */
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
    if (from !== undefined) issueFocus.focus(from);
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
