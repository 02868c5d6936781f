// Form fields that posts and post rules have in common, and previews of the text for each network, with its length and
// its problems.
import {
  altTextCharsMax,
  type BodyOf,
  contentWarningCharsMax,
  type Delivery,
  type Post,
  type PostPreview,
  previewPost,
  textOf,
} from "@kit/contract";
import { TextArea, TextField } from "@radix-ui/themes";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useClient } from "../../api/session.ts";
import { t, translateMessage } from "../../language/language.ts";
import { ErrorText } from "../error-text.tsx";
import { FieldRow, Select } from "../fields.tsx";
import { formatNumber } from "../format.ts";
import { Icon, PathIcon } from "../icon.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import { attachmentOptions, networkLabel, visibilityOptions } from "./post-text.ts";

export function AccountName({ of: { network, name } }: { of: Pick<Delivery, "network" | "name"> }) {
  const { says, icon } = networkLabel(network);
  return (
    <span className="with-icon">
      <PathIcon path={icon} size={14} />
      <span>{says}</span>
      <bdi className="quiet">{visibleLine(name, 60)}</bdi>
    </span>
  );
}

type Props<Members extends keyof Post> = {
  value: Pick<Post, Members>;
  onChange: (members: Partial<Pick<Post, Members>>) => void;
};

export const AttachmentField = ({ value, onChange }: Props<"attach">) => (
  <FieldRow label={t("Attachment")}>
    {({ field }) => (
      <Select id={field} choices={attachmentOptions} value={value.attach} onChange={(attach) => onChange({ attach })} />
    )}
  </FieldRow>
);

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

/** The launcher is asked for a preview this long after the last key press. */
const askAfterMs = 250;

type Previewed = BodyOf<typeof previewPost>;

/** Returns the value once it has not changed for `askAfterMs`. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), askAfterMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Fetches the previews of a post's text. */
function usePreview(body: Previewed) {
  const client = useClient();
  const asked = useSettled(JSON.stringify(body));
  return useQuery({
    queryKey: ["post-preview", asked],
    queryFn: () => client.call(previewPost, { body: JSON.parse(asked) as Previewed }),
    placeholderData: (before) => before,
    retry: false,
    gcTime: 0,
  });
}

export function PostPreviews({ body }: { body: Previewed }) {
  const { data, error } = usePreview(body);
  const previews = data?.previews ?? [];
  const problems = new Set(previews.flatMap((preview) => preview.problems)).size;
  return (
    <section className="previews" aria-label={t("Preview for each network")}>
      <ErrorText error={error} />
      <ul>
        {previews.map((preview) => (
          <li key={preview.account ?? preview.network}>
            <Preview preview={preview} />
          </li>
        ))}
      </ul>
      <p className="unseen" role="status">
        {problems > 0 &&
          t("{{count, number}} problems that a network would reject", {
            count: problems,
            defaultValue_one: "1 problem that a network would reject",
          })}
      </p>
    </section>
  );
}

function Preview({ preview: { account, network, name, text, length, limits, problems } }: { preview: PostPreview }) {
  const { says, icon } = networkLabel(network);
  const over = length > limits.textMax;
  return (
    <div className="card preview" data-bad={problems.length > 0}>
      <p className="cluster">
        <PathIcon path={icon} size={14} />
        <strong>{says}</strong>
        {account !== null && <bdi>{visibleLine(name, 60)}</bdi>}
        <span className="small quiet numbers end" data-over={over}>
          {formatNumber(length)} / {formatNumber(limits.textMax)}
          <span className="unseen"> {limits.counts}</span>
        </span>
      </p>
      <p className="preview-text">
        <bdi>{visibleText(text) || t("No text")}</bdi>
      </p>
      {problems.map((problem) => (
        <p key={textOf(problem)} className="with-icon error preview-problem">
          <Icon name="warning" size={14} />
          <span>{visibleText(translateMessage(problem))}</span>
        </p>
      ))}
    </div>
  );
}
