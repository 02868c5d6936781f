// Edits a draft in place, with a preview for each network.
import { type Post, type PostFootage, postTextCharsMax } from "@kit/contract";
import { Button, TextArea } from "@radix-ui/themes";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { ErrorText } from "../../ui/error-text.tsx";
import { FieldRow, Select } from "../../ui/fields.tsx";
import { AltTextField, AudienceFields, PostPreviews } from "../../ui/posts/post-fields.tsx";
import { attachmentOptions, postEventName } from "../../ui/posts/post-text.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { PartField } from "./part-field.tsx";
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
      <FieldRow label={t("Attachment")}>
        {({ field }) => (
          <Select
            id={field}
            choices={attachmentOptions}
            value={typed.attach}
            onChange={(attach) => onChange({ attach })}
          />
        )}
      </FieldRow>
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
