// Fields that a post and the rule that makes posts have in common.
import { altTextCharsMax, contentWarningCharsMax, type Post } from "@kit/contract";
import { TextArea, TextField } from "@radix-ui/themes";
import { t } from "../../language/language.ts";
import { Choice, FieldRow } from "../fields.tsx";
import { visibilityChoices } from "./post-words.ts";

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

/** What stands before it, and who sees it. */
export function AudienceFields({ value, onChange }: Props<"contentWarning" | "visibility">) {
  return (
    <>
      <FieldRow label={t("Content warning")} hint={t("Shown before the post. Empty for none.")}>
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
      <FieldRow label={t("Seen by")} hint={t("Where the network has that.")}>
        {({ field, hint }) => (
          <Choice
            id={field}
            describedBy={hint}
            choices={visibilityChoices}
            value={value.visibility}
            onChange={(visibility) => onChange({ visibility })}
          />
        )}
      </FieldRow>
    </>
  );
}
