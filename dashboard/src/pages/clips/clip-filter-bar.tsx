// The gallery's filter bar and sort order.
import { type ClipKind, clipKinds, clipSorts } from "@kit/contract";
import { SegmentedControl, Switch, TextField } from "@radix-ui/themes";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { type GalleryFilter, type GalleryFilterChange, searchCharsMax } from "../../api/clip-filter.ts";
import { useClipTags } from "../../api/use-clips.ts";
import { t } from "../../language/language.ts";
import { clipKindLabel, clipSortLabel } from "../../ui/clips/clip-text.ts";
import { GameChoice } from "../../ui/game-choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine } from "../../ui/visible-text.ts";

/** Delay after the last key press before the launcher is asked. */
const searchAfterMs = 250;

type ClipSearchProps = {
  text: string;
  onChange: (change: GalleryFilterChange) => void;
  field: RefObject<HTMLInputElement | null>;
};

/** The gallery's search field. Its text is copied into the address after a short delay. */
function ClipSearch({ text, onChange, field }: ClipSearchProps) {
  const [typed, setTyped] = useState(text);
  const asked = useRef(text);
  // The address may also change through a link or the button that clears the filter.
  useEffect(() => {
    if (text === asked.current) return;
    asked.current = text;
    setTyped(text);
  }, [text]);
  useEffect(() => {
    if (typed === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed;
      onChange({ text: typed || undefined });
    }, searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <TextField.Root
      ref={field}
      className="filter-text"
      type="search"
      aria-label={t("Search titles, events and tags")}
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

const chipsMax = 8;

type TagChipsProps = { chosen: string | undefined; onChange: (change: GalleryFilterChange) => void };

/** Filters by tag: the most used tags are chips, the others are in a list. */
function TagChips({ chosen, onChange }: TagChipsProps) {
  const known = useClipTags().data ?? [];
  const first = known.slice(0, chipsMax).map(({ tag }) => tag);
  const rest = known.slice(chipsMax).map(({ tag }) => tag);
  const isChosen = (tag: string) => tag.toLowerCase() === chosen?.toLowerCase();
  // A tag that no clip has any more may still be in the address and must be removable.
  const chips = chosen === undefined || first.some(isChosen) ? first : [chosen, ...first];
  if (chips.length === 0) return null;
  return (
    <fieldset className="tag-chips">
      <legend className="unseen">{t("Tag")}</legend>
      {chips.map((tag) => (
        <button
          key={tag}
          type="button"
          className="tag-chip"
          aria-pressed={isChosen(tag)}
          onClick={() => onChange({ tag: isChosen(tag) ? undefined : tag })}
        >
          <bdi>{visibleLine(tag, 40)}</bdi>
        </button>
      ))}
      {rest.length > 0 && (
        <span className="select">
          <select aria-label={t("More tags")} value="" onChange={({ target }) => onChange({ tag: target.value })}>
            <option value="">{t("More tags")}</option>
            {rest.map((tag) => (
              <option key={tag} value={tag}>
                {visibleLine(tag, 40)}
              </option>
            ))}
          </select>
        </span>
      )}
    </fieldset>
  );
}

type Props = {
  filter: GalleryFilter;
  games: readonly string[];
  onChange: (change: GalleryFilterChange) => void;
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
          aria-label={t("Sort by")}
          value={filter.sort}
          onChange={({ target }) => onChange({ sort: clipSorts.find((sort) => sort === target.value) })}
        >
          {clipSorts.map((sort) => (
            <option key={sort} value={sort}>
              {clipSortLabel(sort)}
            </option>
          ))}
        </select>
      </span>
      <span className="clip-switches">
        <Only says={t("Pinned")} on={filter.pinned} onChange={(pinned) => onChange({ pinned })} />
        <Only says={t("Trash")} on={filter.bin} onChange={(bin) => onChange({ bin })} />
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
          {clipKindLabel(kind)}
        </SegmentedControl.Item>
      ))}
    </SegmentedControl.Root>
  );
}
