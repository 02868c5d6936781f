// The field that adds a tag, and the list of tags.
import { clipTagCharsMax } from "@kit/contract";
import { IconButton, TextField } from "@radix-ui/themes";
import { type KeyboardEvent, useId, useState } from "react";
import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { parseTag, suggestTags, useClipTags } from "./tags.ts";

type TagListProps = { tags: readonly string[]; label: string; onRemove: (tag: string) => void };

/** A list of tags with a button to remove each. */
export function TagList({ tags, label, onRemove }: TagListProps) {
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

type Props = { taken: readonly string[]; onAdd: (tag: string) => void; disabled?: boolean };

/** A combobox for tags: accepts free text and suggests known tags. */
export function TagField({ taken, onAdd, disabled = false }: Props) {
  const ids = { list: useId(), option: useId() };
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const known = (useClipTags().data ?? []).map(({ tag }) => tag);
  const offered = open ? suggestTags(known, typed, taken) : [];
  const add = (tag: string | undefined) => {
    if (tag === undefined) return;
    onAdd(tag);
    setTyped("");
    setAt(-1);
  };
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      setOpen(true);
      setAt((now) => Math.min(Math.max(-1, now + step), offered.length - 1));
    } else if (event.key === "Enter" || event.key === ",") add(offered[at] ?? parseTag(typed));
    else if (event.key === "Escape" && open && offered.length > 0) close();
    else return;
    // Elements around the field must not handle the key as well.
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="tag-field">
      <TextField.Root
        role="combobox"
        aria-label={t("Add a tag")}
        aria-expanded={offered.length > 0}
        aria-controls={ids.list}
        aria-autocomplete="list"
        {...(at >= 0 && offered[at] !== undefined ? { "aria-activedescendant": `${ids.option}${at}` } : {})}
        autoComplete="off"
        placeholder={t("Add a tag")}
        maxLength={clipTagCharsMax}
        disabled={disabled}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <div
        id={ids.list}
        role="listbox"
        className="floating tag-options"
        aria-label={t("Known tags")}
        hidden={offered.length === 0}
      >
        {offered.map((tag, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, whose keys choose an option
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={tag}
            id={`${ids.option}${index}`}
            role="option"
            className="tag-option"
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(tag)}
          >
            <bdi>{visibleLine(tag, clipTagCharsMax)}</bdi>
          </div>
        ))}
      </div>
    </div>
  );
}
