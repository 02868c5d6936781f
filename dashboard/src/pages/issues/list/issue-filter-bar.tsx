// Filters of the issue list: tab, search, game and sort order.
import { issueSorts } from "@kit/contract";
import { type RefObject, useCallback } from "react";
import { t } from "../../../language/language.ts";
import { DelayedSearchField, SegmentedChoice, Select } from "../../../ui/fields.tsx";
import { GameChoice } from "../../../ui/game-choice.tsx";
import { issueSortLabels, issueTabLabels } from "../issue-text.ts";
import { type IssueView, issueSearchCharsMax, issueTabs } from "../issue-view.ts";

export type IssueViewChange = { readonly [K in keyof IssueView]?: IssueView[K] | undefined };

type Props = {
  view: IssueView;
  games: readonly string[];
  onChange: (change: IssueViewChange) => void;
  textField: RefObject<HTMLInputElement | null>;
};

const tabChoices = issueTabs.map((value) => ({ value, says: issueTabLabels[value] }));
const sortChoices = issueSorts.map((value) => ({ value, says: issueSortLabels[value] }));

export function IssueFilterBar({ view, games, onChange, textField }: Props) {
  const search = useCallback((text: string) => onChange({ search: text || undefined }), [onChange]);
  return (
    <search className="filters" aria-label={t("Filter the issues")}>
      <SegmentedChoice
        className="filter-kind"
        label={t("State")}
        choices={tabChoices}
        value={view.tab}
        onChange={(tab) => onChange({ tab })}
      />
      <DelayedSearchField
        field={textField}
        label={t("Search titles, code locations and notes")}
        placeholder={t("Search")}
        charsMax={issueSearchCharsMax}
        text={view.search ?? ""}
        onChange={search}
      />
      <GameChoice chosen={view.game} games={games} onChange={onChange} />
      <Select label={t("Sort by")} choices={sortChoices} value={view.sort} onChange={(sort) => onChange({ sort })} />
    </search>
  );
}
