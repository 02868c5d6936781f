// The gallery's filter bar and sort order.
import { clipKinds, clipSorts } from "@kit/contract";
import { type RefObject, useCallback } from "react";
import { t } from "../../../language/language.ts";
import { clipKindLabel, clipSortLabel } from "../../../ui/clips/clip-text.ts";
import { DelayedSearchField, GameChoice, KindChoice, Select, SwitchField } from "../../../ui/fields.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import { clipSearchCharsMax, type GalleryFilter, type GalleryFilterChange } from "../clip-filter.ts";
import { useClipTags } from "../tags.ts";

const chipsMax = 8;

type TagChipsProps = { chosen: string | undefined; onChange: (change: GalleryFilterChange) => void };

/** Filters by tag: the tags used most are buttons, the others are in a list. */
function TagChips({ chosen, onChange }: TagChipsProps) {
  const known = useClipTags().data ?? [];
  const first = known.slice(0, chipsMax).map(({ tag }) => tag);
  const rest = known.slice(chipsMax).map(({ tag }) => tag);
  const isChosen = (tag: string) => tag.toLowerCase() === chosen?.toLowerCase();
  // The address may still contain a tag that no clip has any more. It is shown, so that a person can remove it.
  const chips = chosen === undefined || first.some(isChosen) ? first : [chosen, ...first];
  if (chips.length === 0) return null;
  return (
    <fieldset className="cluster tight tag-chips">
      <legend className="unseen">{t("Tag")}</legend>
      {chips.map((tag) => (
        <button
          key={tag}
          type="button"
          className="tag-chip"
          aria-pressed={isChosen(tag)}
          onClick={() => onChange({ tag: isChosen(tag) ? undefined : tag })}
        >
          <bdi className="ellipsis">{visibleLine(tag, 40)}</bdi>
        </button>
      ))}
      {rest.length > 0 && (
        <Select
          label={t("More tags")}
          choices={[
            { value: "", says: t("More tags") },
            ...rest.map((tag) => ({ value: tag, says: visibleLine(tag, 40) })),
          ]}
          value=""
          onChange={(tag) => onChange({ tag })}
        />
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

const sortChoices = () => clipSorts.map((sort) => ({ value: sort, says: clipSortLabel(sort) }));

export function ClipFilterBar({ filter, games, onChange, searchField }: Props) {
  const search = useCallback((text: string) => onChange({ text: text || undefined }), [onChange]);
  return (
    <search className="filters" aria-label={t("Filter the clips")}>
      <DelayedSearchField
        field={searchField}
        label={t("Search titles, events and tags")}
        placeholder={t("Search")}
        charsMax={clipSearchCharsMax}
        text={filter.text ?? ""}
        onChange={search}
      />
      <KindChoice kinds={clipKinds} labelOf={clipKindLabel} chosen={filter.kind} onChange={onChange} />
      <GameChoice chosen={filter.game} games={games} onChange={onChange} />
      <Select
        label={t("Sort by")}
        choices={sortChoices()}
        value={filter.sort}
        onChange={(sort) => onChange({ sort })}
      />
      <SwitchField says={t("Pinned")} on={filter.pinned} onChange={(pinned) => onChange({ pinned })} />
      <SwitchField says={t("Trash")} on={filter.bin} onChange={(bin) => onChange({ bin })} />
      <TagChips chosen={filter.tag} onChange={onChange} />
    </search>
  );
}
