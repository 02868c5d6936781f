// Changes a draft in its place: its words, what it shows, who sees it; with what each network would make of it.
import type { Post } from "@kit/contract";
import { postTextCharsMax } from "@kit/contract";
import { Button, TextArea } from "@radix-ui/themes";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { Choice, FieldRow } from "../../ui/fields.tsx";
import { AltTextField, AudienceFields } from "../../ui/posts/post-fields.tsx";
import { attachChoices, eventWord } from "../../ui/posts/post-words.ts";
import { Previews } from "../../ui/posts/previews.tsx";
import type { PostCommands } from "../../ui/posts/use-post-commands.ts";
import { visibleText } from "../../ui/visible-text.ts";

const edited = ["text", "altText", "contentWarning", "visibility", "attach"] as const;
type Typed = Pick<Post, (typeof edited)[number]>;
const typedOf = ({ text, altText, contentWarning, visibility, attach }: Post): Typed => ({
  text,
  altText,
  contentWarning,
  visibility,
  attach,
});

type Props = { post: Post; doing: PostCommands; trouble: string | undefined; onClose: () => void };

export function PostEditor({ post, doing, trouble, onClose }: Props) {
  const [before] = useState(() => typedOf(post));
  const [typed, setTyped] = useState(before);
  const [isKeeping, setKeeping] = useState(false);
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const changed = edited.filter((member) => typed[member] !== before[member]);
  const set = (members: Partial<Typed>) => setTyped((now) => ({ ...now, ...members }));
  const keep = async () => {
    if (changed.length === 0) return onClose();
    setKeeping(true);
    const kept = await doing.change(post, Object.fromEntries(changed.map((member) => [member, typed[member]])));
    setKeeping(false);
    if (kept) onClose();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void keep();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Escape never throws away what was typed.
    if (event.key === "Escape" && changed.length === 0) onClose();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void keep();
  };
  const accounts = post.deliveries.map(({ account }) => account);
  const { text, contentWarning, altText } = typed;
  return (
    <form
      className="post-editor"
      aria-label={t("Edit: {{name}}", { name: visibleText(eventWord(post)) })}
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
      {accounts.length > 0 && <Previews body={{ text, contentWarning, altText, accounts, filled: true }} />}
      <Fields typed={typed} onChange={set} />
      {trouble !== undefined && (
        <p className="post-trouble" role="alert">
          {visibleText(trouble)}
        </p>
      )}
      <div className="post-actions">
        <Button type="submit" disabled={isKeeping}>
          {t("Keep")}
        </Button>
        <Button type="button" variant="soft" color="gray" onClick={onClose}>
          {changed.length === 0 ? t("Close") : t("Throw the changes away")}
        </Button>
      </div>
    </form>
  );
}

function Fields({ typed, onChange }: { typed: Typed; onChange: (members: Partial<Typed>) => void }) {
  return (
    <>
      <FieldRow label={t("Shows")}>
        {({ field }) => (
          <Choice id={field} choices={attachChoices} value={typed.attach} onChange={(attach) => onChange({ attach })} />
        )}
      </FieldRow>
      {typed.attach !== "none" && (
        <AltTextField value={typed} hint={t("What the footage shows, for who cannot see it.")} onChange={onChange} />
      )}
      <AudienceFields value={typed} onChange={onChange} />
    </>
  );
}
