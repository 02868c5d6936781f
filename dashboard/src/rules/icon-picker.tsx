// The choice of an event's picture: one group of radio buttons, so that arrows move and a screen reader names each.
import { eventIcons } from "@kit/contract";
import { useId } from "react";
import { Icon } from "../frame/icon.tsx";
import { t } from "../language/language.ts";
import { visibleLine } from "../live/visible-text.ts";
import { EventIcon } from "./event-icon.tsx";
import { iconWord } from "./words.ts";

type Props = { value: string | null; kindIcon: "record" | "megaphone"; onChange: (icon: string | null) => void };

export function IconPicker({ value, kindIcon, onChange }: Props) {
  const name = useId();
  const isKnown = value === null || eventIcons.some((icon) => icon === value);
  return (
    <fieldset className="icon-picker">
      <legend>{t("Picture")}</legend>
      <div>
        <label title={t("That of its kind")}>
          <input
            type="radio"
            name={name}
            aria-label={t("That of its kind")}
            checked={value === null}
            onChange={() => onChange(null)}
          />
          <Icon name={kindIcon} size={18} />
        </label>
        {eventIcons.map((icon) => (
          <label key={icon} title={iconWord(icon)}>
            <input
              type="radio"
              name={name}
              aria-label={iconWord(icon)}
              checked={value === icon}
              onChange={() => onChange(icon)}
            />
            <EventIcon name={icon} size={18} />
          </label>
        ))}
      </div>
      {!isKnown && <p className="setting-hint">{visibleLine(value, 40)}</p>}
    </fieldset>
  );
}
