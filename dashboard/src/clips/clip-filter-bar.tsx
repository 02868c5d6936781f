// The gallery's filters: words, game, kind, tag, what is pinned, what lies in the bin; and the order.
import { type ClipKind, clipKinds, clipSorts } from "@kit/contract";
import { SegmentedControl, Switch } from "@radix-ui/themes";
import { type RefObject, useId } from "react";
import { t } from "../language/language.ts";
import { GameChoice } from "../live/game-choice.tsx";
import type { GalleryChange, GalleryFilter } from "./clip-filter.ts";
import { ClipSearch } from "./clip-search.tsx";
import { TagChips } from "./tag-chips.tsx";
import { kindsWord, sortWord } from "./words.ts";

type Props = {
  filter: GalleryFilter;
  games: readonly string[];
  onChange: (change: GalleryChange) => void;
  searchField: RefObject<HTMLInputElement | null>;
};

export function ClipFilterBar({ filter, games, onChange, searchField }: Props) {
  return (
    <search className="filters clip-filters" aria-label={t("Filter the clips")}>
      <ClipSearch text={filter.text ?? ""} onChange={onChange} field={searchField} />
      <KindChoice chosen={filter.kind} onChange={onChange} />
      <GameChoice chosen={filter.game} games={games} onChange={onChange} />
      <span className="select">
        <select
          aria-label={t("Order")}
          value={filter.sort}
          onChange={({ target }) => onChange({ sort: clipSorts.find((sort) => sort === target.value) })}
        >
          {clipSorts.map((sort) => (
            <option key={sort} value={sort}>
              {sortWord(sort)}
            </option>
          ))}
        </select>
      </span>
      <span className="clip-switches">
        <Only says={t("Pinned")} on={filter.pinned} onChange={(pinned) => onChange({ pinned })} />
        <Only says={t("Bin")} on={filter.bin} onChange={(bin) => onChange({ bin })} />
      </span>
      <TagChips chosen={filter.tag} onChange={onChange} />
    </search>
  );
}

function Only({ says, on, onChange }: { says: string; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <label className="filter-refusals" htmlFor={id}>
      <Switch id={id} size="1" checked={on} onCheckedChange={onChange} />
      {says}
    </label>
  );
}

function KindChoice({ chosen, onChange }: { chosen: ClipKind | undefined; onChange: Props["onChange"] }) {
  return (
    <SegmentedControl.Root
      className="filter-kind"
      aria-label={t("Kind")}
      value={chosen ?? "all"}
      onValueChange={(value) => onChange({ kind: clipKinds.find((kind) => kind === value) })}
    >
      <SegmentedControl.Item value="all">{t("All")}</SegmentedControl.Item>
      {clipKinds.map((kind) => (
        <SegmentedControl.Item key={kind} value={kind}>
          {kindsWord(kind)}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
  );
}
