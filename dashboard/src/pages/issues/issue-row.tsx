// One issue in the list.

import { Checkbox } from "@radix-ui/themes";
import { memo } from "react";
import { Trans, t } from "../../language/language.ts";
import { issuesAddress } from "../../ui/address.ts";
import { gameWord } from "../../ui/game-name.ts";
import { Ago, Culprit, IssueMarks, IssueStateBadge } from "../../ui/issues/issue-labels.tsx";
import { hourSpans, reportsWord, shortCount } from "../../ui/issues/issue-measures.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { Sparkline } from "./bars.tsx";
import type { ListedIssue } from "./issue-pages.ts";
import { moveByKey } from "./selection-moves.ts";

type Props = {
  issue: ListedIssue;
  query: string;
  nowMs: number;
  selected: boolean;
  /** One row takes part in the tab order; j, k and the arrow keys go from row to row. */
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
          onKeyDown={moveByKey}
          onCheckedChange={() => onSelect(id)}
        />
      </span>
      <div className="issue-what">
        <a
          className="issue-link"
          href={issuesAddress(id, query)}
          tabIndex={tabIndex}
          title={says}
          onKeyDown={moveByKey}
        >
          <bdi>{says || t("An error without words")}</bdi>
        </a>
        <p className="issue-about">
          <IssueMarks issue={issue} />
          <Culprit culprit={issue.culprit} />
          <bdi className="issue-game">{gameWord(game)}</bdi>
        </p>
      </div>
      <Sparkline spans={hourSpans(issue.hours, nowMs)} />
      <span className="issue-count" title={reportsWord(count)}>
        <span aria-hidden="true">{shortCount(count)}</span>
        <span className="unseen">{reportsWord(count)}</span>
      </span>
      <span className="issue-times">
        <span className="issue-last">
          <span className="unseen">{t("Last seen")} </span>
          <Ago at={issue.lastSeen} nowMs={nowMs} />
        </span>
        <span className="issue-first">
          <Trans i18nKey="first <ago/>" components={{ ago: <Ago at={issue.firstSeen} nowMs={nowMs} /> }} />
        </span>
      </span>
      <IssueStateBadge issue={issue} />
    </li>
  );
});
