// Tags to choose one from: the most used stand as chips, the others in a list.
import { t } from "../language/language.ts";
import { visibleLine } from "../live/visible-text.ts";
import type { GalleryChange } from "./clip-filter.ts";
import { useClipTags } from "./use-clips.ts";

const chipsMax = 8;

type Props = { chosen: string | undefined; onChange: (change: GalleryChange) => void };

export function TagChips({ chosen, onChange }: Props) {
  const known = useClipTags().data ?? [];
  const first = known.slice(0, chipsMax).map(({ tag }) => tag);
  const rest = known.slice(chipsMax).map(({ tag }) => tag);
  const isChosen = (tag: string) => tag.toLowerCase() === chosen?.toLowerCase();
  // One that nothing has any more can still be in the address, and has to be let go of.
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
