// Edits a draft in place, with a preview for each network.
import { type Post, type PostFootage, type PostPart, postPartSecondsMin, postTextCharsMax } from "@kit/contract";
import { Button, TextArea, TextField } from "@radix-ui/themes";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, NumberQuestion, Select } from "../../ui/fields.tsx";
import { formatClock } from "../../ui/format.ts";
import { clearNumber, writeNumber } from "../../ui/numbers.ts";
import { AltTextField, AttachmentField, AudienceFields, PostPreviews } from "../../ui/posts/post-fields.tsx";
import { partText, postEventName } from "../../ui/posts/post-text.ts";
import { visibleText } from "../../ui/visible-text.ts";
import type { PostCommands } from "./use-post-commands.ts";

const editableNames = ["text", "altText", "contentWarning", "visibility", "attach", "part"] as const;
type EditableFields = Pick<Post, Exclude<(typeof editableNames)[number], "part">> & Pick<PostFootage, "part">;
const editableFields = ({ text, altText, contentWarning, visibility, attach, footage }: Post): EditableFields => ({
  text,
  altText,
  contentWarning,
  visibility,
  attach,
  part: footage.part,
});

type Props = { post: Post; commands: PostCommands; trouble: string | undefined; onClose: () => void };

export function PostEditor({ post, commands, trouble, onClose }: Props) {
  const [before] = useState(() => editableFields(post));
  const [typed, setTyped] = useState(before);
  const [isSaving, setSaving] = useState(false);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const canChoosePart = typed.attach === "clip" && before.attach === "clip" && post.footage.clipSeconds !== null;
  const changed = editableNames.filter(
    (member) => typed[member] !== before[member] && (member !== "part" || canChoosePart),
  );
  const set = (members: Partial<EditableFields>) => setTyped((now) => ({ ...now, ...members }));
  const save = async () => {
    if (changed.length === 0) return onClose();
    setSaving(true);
    const isSaved = await commands.change(post, Object.fromEntries(changed.map((member) => [member, typed[member]])));
    setSaving(false);
    if (isSaved) onClose();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape closes the editor only if nothing was changed, so that no change is lost.
    if (event.key === "Escape" && changed.length === 0) onClose();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
  };
  const accounts = post.deliveries.map(({ account }) => account);
  const { text, contentWarning, altText } = typed;
  return (
    <form
      className="stack"
      aria-label={t("Edit: {{name}}", { name: visibleText(postEventName(post)) })}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
    >
      <FieldRow label={t("Text")}>
        {({ field }) => (
          <TextArea
            ref={first}
            id={field}
            rows={4}
            maxLength={postTextCharsMax}
            value={typed.text}
            onChange={({ target }) => set({ text: target.value })}
          />
        )}
      </FieldRow>
      {accounts.length > 0 && <PostPreviews body={{ text, contentWarning, altText, accounts, filled: true }} />}
      <Fields typed={typed} onChange={set} />
      {canChoosePart && <PartField footage={post.footage} part={typed.part} onChange={(part) => set({ part })} />}
      <ErrorText error={trouble} />
      <div className="cluster post-actions">
        <Button type="submit" disabled={isSaving}>
          {t("Save")}
        </Button>
        <Button type="button" variant="soft" color="gray" onClick={onClose}>
          {changed.length === 0 ? t("Close") : t("Discard changes")}
        </Button>
      </div>
    </form>
  );
}

function Fields({ typed, onChange }: { typed: EditableFields; onChange: (members: Partial<EditableFields>) => void }) {
  return (
    <>
      <AttachmentField value={typed} onChange={onChange} />
      {typed.attach !== "none" && (
        <AltTextField
          value={typed}
          hint={t("Describes the footage for people who cannot see it.")}
          onChange={onChange}
        />
      )}
      <AudienceFields value={typed} onChange={onChange} />
    </>
  );
}

type PartProps = { footage: PostFootage; part: PostPart | null; onChange: (part: PostPart | null) => void };

type Choice = "moment" | "whole" | "other";

const choiceOf = ({ momentPart }: PostFootage, part: PostPart | null): Choice => {
  if (part === null) return "whole";
  const isMoment = part.fromSeconds === momentPart?.fromSeconds && part.toSeconds === momentPart.toSeconds;
  return isMoment ? "moment" : "other";
};

function PartField({ footage, part, onChange }: PartProps) {
  const { momentPart } = footage;
  const clipSeconds = footage.clipSeconds ?? 0;
  const [choice, setChoice] = useState(() => choiceOf(footage, part));
  const whole = { fromSeconds: 0, toSeconds: clipSeconds };
  const others: readonly { readonly value: Choice; readonly says: string }[] = [
    { value: "whole", says: t("The whole clip: {{length}}", { length: formatClock(clipSeconds) }) },
    { value: "other", says: t("Another part") },
  ];
  const around = (of: PostPart) => t("Around its moment: {{part}}", { part: partText({ ...footage, part: of }) });
  const choices = momentPart === null ? others : [{ value: "moment" as const, says: around(momentPart) }, ...others];
  const choose = (next: Choice) => {
    setChoice(next);
    onChange(next === "moment" ? momentPart : next === "whole" ? null : (part ?? momentPart ?? whole));
  };
  return (
    <>
      <FieldRow label={t("Part of the clip")}>
        {({ field }) => <Select id={field} choices={choices} value={choice} onChange={choose} />}
      </FieldRow>
      {choice === "other" && <SecondsFields part={part ?? whole} clipSeconds={clipSeconds} onChange={onChange} />}
    </>
  );
}

type SecondsProps = { part: PostPart; clipSeconds: number; onChange: (part: PostPart) => void };

function SecondsFields({ part, clipSeconds, onChange }: SecondsProps) {
  const [typed, setTyped] = useState({
    from: writeNumber(part.fromSeconds),
    to: writeNumber(part.toSeconds),
  });
  const set = (more: Partial<typeof typed>) => {
    const now = { ...typed, ...more };
    setTyped(now);
    const fromSeconds = clearNumber(now.from);
    const toSeconds = clearNumber(now.to);
    if (fromSeconds !== undefined && toSeconds !== undefined) onChange({ fromSeconds, toSeconds });
  };
  const from = clearNumber(typed.from) ?? Number.NaN;
  const to = clearNumber(typed.to) ?? Number.NaN;
  const isValid = from >= 0 && to <= clipSeconds && to - from >= postPartSecondsMin;
  const problem = t("Choose at least {{least}} s between 0 and {{length}} s.", {
    least: postPartSecondsMin,
    length: clipSeconds,
  });
  return (
    <FieldRow label={t("Start and end, in seconds")} error={isValid ? undefined : problem}>
      {({ field, hint }) => (
        <>
          <span className="cluster tight">
            <TextField.Root
              id={field}
              className="short-field"
              inputMode="decimal"
              aria-describedby={hint}
              value={typed.from}
              onChange={({ target }) => set({ from: target.value })}
            />
            <TextField.Root
              className="short-field"
              inputMode="decimal"
              aria-label={t("End, in seconds")}
              value={typed.to}
              onChange={({ target }) => set({ to: target.value })}
            />
          </span>
          <NumberQuestion typed={typed.from} onChoose={(from) => set({ from })} />
          <NumberQuestion typed={typed.to} onChoose={(to) => set({ to })} />
        </>
      )}
    </FieldRow>
  );
}
