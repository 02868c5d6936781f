// The note of an issue, and the form that edits it.
import { type Issue, issueNoteCharsMax } from "@kit/contract";
import { Button, TextArea } from "@radix-ui/themes";
import { type FormEvent, useState } from "react";
import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { PageSection } from "../../ui/section.tsx";
import type { IssueCommands } from "./use-issue-commands.ts";

export function NoteSection({ issue: { id, note }, commands }: { issue: Issue; commands: IssueCommands }) {
  const [editing, setEditing] = useState(false);
  return (
    <PageSection
      title={t("Note")}
      end={
        !editing && (
          <Button size="1" variant="ghost" color="gray" onClick={() => setEditing(true)}>
            <Icon name="pencil" size={14} />
            {note === null ? t("Write a note") : t("Edit")}
          </Button>
        )
      }
    >
      {editing ? (
        <NoteForm
          note={note ?? ""}
          onSave={(text) => commands.note(id, text || null)}
          onEnd={() => setEditing(false)}
        />
      ) : note === null ? (
        <p className="quiet">{t("No note yet. The search also finds notes.")}</p>
      ) : (
        <LongText text={note} label={t("Note text")} />
      )}
    </PageSection>
  );
}

type FormProps = { note: string; onSave: (note: string) => void; onEnd: () => void };

function NoteForm({ note, onSave, onEnd }: FormProps) {
  const [typed, setTyped] = useState(note);
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault();
    onSave(typed.trim());
    onEnd();
  };
  return (
    <form className="stack tight" onSubmit={onSubmit}>
      <TextArea
        autoFocus
        aria-label={t("Note")}
        rows={4}
        maxLength={issueNoteCharsMax}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(key) => {
          if (key.key !== "Escape") return;
          // Escape must close only this form, not the issue.
          key.preventDefault();
          key.stopPropagation();
          onEnd();
        }}
      />
      <div className="panel-end">
        <Button type="button" variant="soft" color="gray" onClick={onEnd}>
          {t("Cancel")}
        </Button>
        <Button type="submit">{t("Save")}</Button>
      </div>
    </form>
  );
}
