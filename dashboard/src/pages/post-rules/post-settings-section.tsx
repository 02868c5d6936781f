// What holds for all posts. Every change is kept at once and said to be.
import type { PostSettings } from "@kit/contract";
import { useId, useState } from "react";
import { usePostSettings, usePostSettingsChange } from "../../api/use-post-rules.ts";
import { t } from "../../language/language.ts";
import { FieldRow, Typed } from "../../ui/fields.tsx";
import { numberIn } from "../../ui/number-in.ts";

type Named = keyof PostSettings;

const fields = (): readonly { name: Named; label: string; unit: string; hint: string }[] => [
  {
    name: "undoSeconds",
    label: t("Time to undo"),
    unit: t("seconds"),
    hint: t("0 to 600: between approving and sending."),
  },
  {
    name: "expireHours",
    label: t("Asks for"),
    unit: t("hours"),
    hint: t("1 to 720. After them a draft nobody decided expires."),
  },
  {
    name: "hourlyMax",
    label: t("In an hour"),
    unit: t("posts"),
    hint: t("1 to 60 at most. What is beyond makes no post, and is counted on its rule."),
  },
];

export function PostSettingsSection() {
  const title = useId();
  const settings = usePostSettings().data;
  const change = usePostSettingsChange();
  const [last, setLast] = useState<Named>();
  const [refused, setRefused] = useState<string>();
  const keep = (name: Named, typed: string) => {
    const value = numberIn(typed);
    setLast(name);
    setRefused(value === undefined ? t("Not kept: a number is needed.") : undefined);
    if (value === undefined) change.reset();
    else change.mutate({ [name]: value });
  };
  if (settings === undefined) return null;
  return (
    <section className="recorder-part" aria-labelledby={title}>
      <div className="recorder-head">
        <h2 id={title}>{t("For all posts")}</h2>
        <p className="kept" role="status">
          {change.isSuccess && refused === undefined && t("Saved")}
        </p>
      </div>
      {fields().map(({ name, label, unit, hint }) => (
        <FieldRow
          key={name}
          label={label}
          hint={hint}
          error={last === name ? (refused ?? change.error?.message) : undefined}
        >
          {(ids) => (
            <span className="with-unit">
              <Typed
                id={ids.field}
                describedBy={ids.hint}
                className="number-field"
                numeric
                value={String(settings[name])}
                onKeep={(typed) => keep(name, typed)}
              />
              {unit}
            </span>
          )}
        </FieldRow>
      ))}
    </section>
  );
}
