// The settings that apply to all posts. Each change is saved at once.
import type { PostSettings } from "@kit/contract";
import { useState } from "react";
import { usePostSettings, usePostSettingsChange } from "../../api/use-post-rules.ts";
import { t } from "../../language/language.ts";
import { AutosaveField, FieldRow } from "../../ui/fields.tsx";
import { parseNumber } from "../../ui/parse-number.ts";
import { PageSection } from "../../ui/section.tsx";

type SettingName = keyof PostSettings;

const fields = (): readonly { name: SettingName; label: string; unit: string; hint: string }[] => [
  {
    name: "undoSeconds",
    label: t("Time to undo"),
    unit: t("seconds"),
    hint: t("0 to 600 seconds between approval and sending."),
  },
  {
    name: "expireHours",
    label: t("Drafts expire after"),
    unit: t("hours"),
    hint: t("1 to 720 hours. After that, a draft that nobody has approved or skipped expires."),
  },
  {
    name: "hourlyMax",
    label: t("Hourly limit"),
    unit: t("posts"),
    hint: t("1 to 60 posts. Further events make no post; their rule counts them as held back."),
  },
];

export function PostSettingsSection() {
  const settings = usePostSettings().data;
  const change = usePostSettingsChange();
  const [last, setLast] = useState<SettingName>();
  const [refused, setRefused] = useState<string>();
  const save = (name: SettingName, typed: string) => {
    const value = parseNumber(typed);
    setLast(name);
    setRefused(value === undefined ? t("Not saved: enter a number.") : undefined);
    if (value === undefined) change.reset();
    else change.mutate({ [name]: value });
  };
  if (settings === undefined) return null;
  return (
    <PageSection
      title={t("For all posts")}
      end={
        <p className="done small" role="status">
          {change.isSuccess && refused === undefined && t("Saved")}
        </p>
      }
    >
      {fields().map(({ name, label, unit, hint }) => (
        <FieldRow
          key={name}
          label={label}
          hint={hint}
          error={last === name ? (refused ?? change.error?.message) : undefined}
        >
          {(ids) => (
            <span className="with-unit">
              <AutosaveField
                id={ids.field}
                describedBy={ids.hint}
                className="number-field"
                numeric
                value={String(settings[name])}
                onSave={(typed) => save(name, typed)}
              />
              {unit}
            </span>
          )}
        </FieldRow>
      ))}
    </PageSection>
  );
}
