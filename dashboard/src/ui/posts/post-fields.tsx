// Form fields that posts and post rules have in common.
import { altTextCharsMax, contentWarningCharsMax, type Post } from "@kit/contract";
import { TextArea, TextField } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { FieldRow, Select } from "../fields.tsx";
import { visibilityOptions } from "./post-text.ts";

type Props<Members extends keyof Post> = {
  value: Pick<Post, Members>;
  onChange: (members: Partial<Pick<Post, Members>>) => void;
};

export function AltTextField({ value, hint: says, onChange }: Props<"altText"> & { hint: string }) {
  return (
    <FieldRow label={t("Alt text")} hint={says}>
      {({ field, hint }) => (
        <TextArea
          id={field}
          aria-describedby={hint}
          rows={2}
          maxLength={altTextCharsMax}
          value={value.altText}
          onChange={({ target }) => onChange({ altText: target.value })}
        />
      )}
    </FieldRow>
  );
}

/** The fields for content warning and visibility. */
export function AudienceFields({ value, onChange }: Props<"contentWarning" | "visibility">) {
  return (
    <>
      <FieldRow label={t("Content warning")} hint={t("Shown before the post. Leave it empty for no warning.")}>
        {({ field, hint }) => (
          <TextField.Root
            id={field}
            aria-describedby={hint}
            maxLength={contentWarningCharsMax}
            value={value.contentWarning}
            onChange={({ target }) => onChange({ contentWarning: target.value })}
          />
        )}
      </FieldRow>
      <FieldRow label={t("Visible to")} hint={t("If the network supports it.")}>
        {({ field, hint }) => (
          <Select
            id={field}
            describedBy={hint}
            choices={visibilityOptions}
            value={value.visibility}
            onChange={(visibility) => onChange({ visibility })}
          />
        )}
      </FieldRow>
    </>
  );
}
