// Filters of the issue list: tab, search, game and sort order.
import { issueSorts } from "@kit/contract";
import { SegmentedControl, TextField } from "@radix-ui/themes";
import { type RefObject, useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { GameChoice } from "../../ui/game-choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { issueSortLabels, issueTabLabels } from "../../ui/issues/issue-text.ts";
import { type IssueTab, type IssueView, issueTabs, searchCharsMax } from "../../ui/issues/issue-view.ts";

export type ViewChange = { readonly [K in keyof IssueView]?: IssueView[K] | undefined };

type Props = {
  view: IssueView;
  games: readonly string[];
  onChange: (change: ViewChange) => void;
  textField: RefObject<HTMLInputElement | null>;
};

export function IssueFilterBar({ view, games, onChange, textField }: Props) {
  return (
    <search className="filters" aria-label={t("Filter the issues")}>
      <TabChoice chosen={view.tab} onChange={onChange} />
      <SearchField search={view.search ?? ""} onChange={onChange} textField={textField} />
      <GameChoice chosen={view.game} games={games} onChange={onChange} />
      <span className="select">
        <select
          aria-label={t("Sort by")}
          value={view.sort}
          onChange={({ target }) => onChange({ sort: issueSorts.find((sort) => sort === target.value) })}
        >
          {issueSorts.map((sort) => (
            <option key={sort} value={sort}>
              {issueSortLabels[sort]}
            </option>
          ))}
        </select>
      </span>
    </search>
  );
}

function TabChoice({ chosen, onChange }: { chosen: IssueTab; onChange: Props["onChange"] }) {
  return (
    <SegmentedControl.Root
      className="filter-kind"
      aria-label={t("State")}
      value={chosen}
      onValueChange={(value) => onChange({ tab: issueTabs.find((tab) => tab === value) })}
    >
      {issueTabs.map((tab) => (
        <SegmentedControl.Item key={tab} value={tab}>
          {issueTabLabels[tab]}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
  );
}

/** Waits for a pause in typing, so that not every letter sends a request. */
const searchAfterMs = 250;

type SearchProps = { search: string } & Pick<Props, "onChange" | "textField">;

function SearchField({ search, onChange, textField }: SearchProps) {
  const [typed, setTyped] = useState(search);
  const asked = useRef(search);
  // A link or the button that clears the filters can change the search in the address.
  useEffect(() => {
    if (search === asked.current) return;
    asked.current = search;
    setTyped(search);
  }, [search]);
  useEffect(() => {
    if (typed === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      onChange({ search: typed || undefined });
    }, searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <TextField.Root
      ref={textField}
      className="filter-text"
      type="search"
      aria-label={t("Search titles, code locations and notes")}
      placeholder={t("Search")}
      maxLength={searchCharsMax}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
    >
      <TextField.Slot>
        <Icon name="search" size={14} />
      </TextField.Slot>
    </TextField.Root>
  );
}
