// Backups: one more, each to save, to take back, or to delete.
import { type Backup, getBackupFile } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { useDownload } from "../../api/media-pass.tsx";
import { useBackups } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { Icon } from "../../ui/icon.tsx";
import { sizeOf } from "../../ui/measures.ts";
import { visibleText } from "../../ui/visible-text.ts";
import { SureDialog } from "./confirm-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { madeByWord, momentOf } from "./storage-words.ts";
import type { Reopening, useStorageCommands } from "./use-storage-commands.ts";

type Props = { actions: ReturnType<typeof useStorageCommands>; onReopen: (what: Reopening) => void };

export function BackupsSection({ actions: { make, removeBackup }, onReopen }: Props) {
  const { data, error } = useBackups();
  const [asked, setAsked] = useState<{ what: "restore" | "delete"; backup: Backup }>();
  const save = useDownload();
  const trouble = save.error ?? make.error ?? removeBackup.error ?? (data ? null : error);
  const close = () => setAsked(undefined);
  return (
    <section className="kept-part" aria-labelledby="kept-backups">
      <div className="kept-head">
        <h2 id="kept-backups">{t("Backups")}</h2>
        <Button variant="soft" disabled={make.isPending} onClick={() => make.mutate()}>
          {make.isPending ? t("Making it") : t("Make a backup now")}
        </Button>
      </div>
      <p className="kept-quiet">
        {t("A backup is a whole copy of the database. Clips' files, passwords and keys are not in it.")}
      </p>
      <Outcome says={make.isSuccess && !make.isPending && t("A backup was made, and checked.")} trouble={trouble} />
      {data?.backups.length === 0 && <p>{t("There is none yet.")}</p>}
      {data && data.backups.length > 0 && (
        <ul className="kept-list">
          {data.backups.map((backup) => (
            <BackupRow
              key={backup.name}
              backup={backup}
              onSave={() => save.mutate({ operation: getBackupFile, params: { name: backup.name } })}
              onRestore={() => setAsked({ what: "restore", backup })}
              onDelete={() => setAsked({ what: "delete", backup })}
            />
          ))}
        </ul>
      )}
      {asked?.what === "restore" && (
        <RestoreDialog
          at={asked.backup.at}
          onRestore={() => onReopen({ kind: "backup", name: asked.backup.name })}
          onClose={close}
        />
      )}
      {asked?.what === "delete" && (
        <SureDialog
          title={t("Delete this backup?")}
          does={t("Delete")}
          onSure={() => removeBackup.mutate(asked.backup.name)}
          onClose={close}
        >
          <p>
            {t("The backup of {{moment}} will be gone. This cannot be undone.", { moment: momentOf(asked.backup.at) })}
          </p>
        </SureDialog>
      )}
    </section>
  );
}

function Outcome({ says, trouble }: { says: string | false; trouble: Error | null }) {
  return (
    <>
      <p className="kept" role="status">
        {says}
      </p>
      {trouble && (
        <p className="details-warning" role="alert">
          {visibleText(trouble.message)}
        </p>
      )}
    </>
  );
}

type RowProps = { backup: Backup; onSave: () => void; onRestore: () => void; onDelete: () => void };

function BackupRow({ backup: { at, bytes, by }, onSave, onRestore, onDelete }: RowProps) {
  const moment = momentOf(at);
  return (
    <li>
      <span className="kept-what">
        <time dateTime={at}>{moment}</time>
        <span>
          {sizeOf(bytes)} · {madeByWord(by)}
        </span>
      </span>
      <span className="kept-buttons">
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Download the backup of {{moment}}", { moment })}
          onClick={onSave}
        >
          <Icon name="download" size={14} /> {t("Download")}
        </Button>
        <Button
          size="1"
          variant="soft"
          aria-label={t("Restore the backup of {{moment}}", { moment })}
          onClick={onRestore}
        >
          {t("Restore")}
        </Button>
        <Button
          size="1"
          variant="soft"
          color="ruby"
          aria-label={t("Delete the backup of {{moment}}", { moment })}
          onClick={onDelete}
        >
          {t("Delete")}
        </Button>
      </span>
    </li>
  );
}
