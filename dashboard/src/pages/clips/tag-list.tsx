// A list of tags with a button to remove each.

import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine } from "../../ui/visible-text.ts";

type Props = { tags: readonly string[]; label: string; onRemove: (tag: string) => void };

export function TagList({ tags, label, onRemove }: Props) {
  if (tags.length === 0) return null;
  return (
    <ul className="tag-list" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag} className="tag-chip">
          <bdi>{visibleLine(tag, 40)}</bdi>
          <button
            type="button"
            aria-label={t("Remove the tag {{tag}}", { tag: visibleLine(tag, 40) })}
            onClick={() => onRemove(tag)}
          >
            <Icon name="close" size={10} />
          </button>
        </li>
      ))}
    </ul>
  );
}
