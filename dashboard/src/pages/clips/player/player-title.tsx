// The clip's title and the form to rename it.
import type { Clip } from "@kit/contract";
import { Button, IconButton, TextField } from "@radix-ui/themes";
import { type FormEvent, useRef, useState } from "react";
import { t } from "../../../language/language.ts";
import { clipTitle, clipTitleCharsMax } from "../../../ui/clips/clip-text.ts";
import { ClipBadges } from "../../../ui/clips/clip-tile.tsx";
import { ErrorText } from "../../../ui/error-text.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import { useClipChange } from "../use-clip-commands.ts";

export function PlayerTitle({ id, clip }: { id: string; clip: Clip }) {
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const change = useClipChange();
  const end = () => {
    setEditing(false);
    change.reset();
    // Waits for the next render, because the button exists again only then.
    setTimeout(() => pencil.current?.focus());
  };
  const save = (title: string) => change.mutate({ id: clip.id, title }, { onSuccess: end });
  if (editing) {
    return (
      <div className="cluster player-title">
        <h2 id={id} className="unseen">
          {visibleLine(clipTitle(clip), clipTitleCharsMax)}
        </h2>
        <TitleForm title={clipTitle(clip)} error={change.error} onSave={save} onCancel={end} />
      </div>
    );
  }
  return (
    <div className="cluster player-title">
      <h2 id={id}>
        <bdi>{visibleLine(clipTitle(clip), clipTitleCharsMax)}</bdi>
      </h2>
      <IconButton
        ref={pencil}
        size="1"
        variant="ghost"
        color="gray"
        aria-label={t("Rename")}
        title={t("Rename")}
        onClick={() => setEditing(true)}
      >
        <Icon name="pencil" size={14} />
      </IconButton>
      <ClipBadges clip={clip} />
    </div>
  );
}

type FormProps = { title: string; error: Error | null; onSave: (title: string) => void; onCancel: () => void };

function TitleForm({ title, error, onSave, onCancel }: FormProps) {
  const [typed, setTyped] = useState(title);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (typed.trim() !== "") onSave(typed.trim());
  };
  return (
    <form className="cluster inline-form" onSubmit={onSubmit}>
      <TextField.Root
        autoFocus
        aria-label={t("Title of the clip")}
        value={typed}
        maxLength={clipTitleCharsMax}
        onChange={(changed) => setTyped(changed.target.value)}
        onKeyDown={(key) => {
          if (key.key !== "Escape") return;
          // Escape must close only this form, not the player.
          key.preventDefault();
          key.stopPropagation();
          onCancel();
        }}
      />
      <Button type="submit" disabled={typed.trim() === ""}>
        {t("Save")}
      </Button>
      <Button type="button" variant="soft" color="gray" onClick={onCancel}>
        {t("Cancel")}
      </Button>
      <ErrorText error={error} />
    </form>
  );
}
