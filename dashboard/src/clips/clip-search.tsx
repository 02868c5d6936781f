// The gallery's search field: what is typed stands in the address a moment later.
import { TextField } from "@radix-ui/themes";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { type GalleryChange, searchCharsMax } from "./clip-filter.ts";

/** Each letter would ask the launcher otherwise. */
const searchAfterMs = 250;

type Props = {
  text: string;
  onChange: (change: GalleryChange) => void;
  field: RefObject<HTMLInputElement | null>;
};

export function ClipSearch({ text, onChange, field }: Props) {
  const [typed, setTyped] = useState(text);
  const asked = useRef(text);
  // The address may change without this field: by a link, or by the button that clears the filter.
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
      aria-label={t("Only clips with these words in title, events or tags")}
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
