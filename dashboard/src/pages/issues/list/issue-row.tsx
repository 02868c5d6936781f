// A row of the issue list, and the column headings. ../issues.css sets the widths of the columns.

import { Checkbox } from "@radix-ui/themes";
import { memo } from "react";
import { Trans, t } from "../../../language/language.ts";
import { issuesAddress } from "../../../ui/address.ts";
import { gameName } from "../../../ui/game-name.ts";
import { RelativeTime } from "../../../ui/labels.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import { Sparkline } from "../charts.tsx";
import { formatShortCount, hourBars, reportCountText } from "../issue-format.ts";
import { ErrorLocation, IssueBadges, IssueStateBadge } from "../issue-labels.tsx";
import type { ListedIssue } from "../merged-pages.ts";
import { handleIssueRowKey } from "./row-focus.ts";

type Props = {
  issue: ListedIssue;
  query: string;
  nowMs: number;
  selected: boolean;
  /** Only this row is in the tab order; j, k and the arrow keys move between rows. */
  tabStop: boolean;
  onSelect: (id: string) => void;
  onVisit: (id: string) => void;
};

export const IssueRow = memo(function IssueRow({ issue, query, nowMs, selected, tabStop, onSelect, onVisit }: Props) {
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
          onKeyDown={handleIssueRowKey}
          onCheckedChange={() => onSelect(id)}
        />
      </span>
      <div className="issue-what">
        <a
          className="issue-link ellipsis"
          href={issuesAddress(id, query)}
          tabIndex={tabIndex}
          title={says}
          onKeyDown={handleIssueRowKey}
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
export const IssueColumnHeadings = () => (
  <p className="issue-columns small quiet" aria-hidden="true">
    <span>{t("Error")}</span>
    <span>{t("24 hours")}</span>
    <span>{t("Reports")}</span>
    <span>{t("Seen")}</span>
    <span>{t("State")}</span>
  </p>
);
