// A list of tags with a button to remove each.
import { IconButton } from "@radix-ui/themes";
import { t } from "../../../language/language.ts";
import { Icon } from "../../../ui/icon.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";

type Props = { tags: readonly string[]; label: string; onRemove: (tag: string) => void };

export function TagList({ tags, label, onRemove }: Props) {
  if (tags.length === 0) return null;
  return (
    <ul className="cluster tight" aria-label={label}>
      {tags.map((tag) => (
        <li key={tag} className="tag-chip">
          <bdi className="ellipsis">{visibleLine(tag, 40)}</bdi>
          <IconButton
            size="1"
            variant="ghost"
            color="gray"
            aria-label={t("Remove the tag {{tag}}", { tag: visibleLine(tag, 40) })}
            onClick={() => onRemove(tag)}
          >
            <Icon name="close" size={10} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
