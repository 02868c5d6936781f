// The list of backups: create, download, restore, delete.
import { type Backup, getBackupFile } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { useDownload } from "../../api/media-pass.tsx";
import { useBackups } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { formatBytes } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { visibleText } from "../../ui/visible-text.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { backupOriginText, formatDateTime } from "./storage-text.ts";
import type { RestartRequest, useStorageCommands } from "./use-storage-commands.ts";

type Props = { actions: ReturnType<typeof useStorageCommands>; onRestart: (what: RestartRequest) => void };

export function BackupsSection({ actions: { make, removeBackup }, onRestart }: Props) {
  const { data, error } = useBackups();
  const [dialog, setDialog] = useState<{ what: "restore" | "delete"; backup: Backup }>();
  const save = useDownload();
  const trouble = save.error ?? make.error ?? removeBackup.error ?? (data ? null : error);
  const close = () => setDialog(undefined);
  return (
    <section className="kept-part" aria-labelledby="kept-backups">
      <div className="kept-head">
        <h2 id="kept-backups">{t("Backups")}</h2>
        <Button variant="soft" disabled={make.isPending} onClick={() => make.mutate()}>
          {make.isPending ? t("Creating the backup…") : t("Make a backup now")}
        </Button>
      </div>
      <p className="kept-quiet">
        {t("A backup is a full copy of the database. It does not contain clip files, passwords or keys.")}
      </p>
      <Outcome
        says={make.isSuccess && !make.isPending && t("The backup was created and verified.")}
        trouble={trouble}
      />
      {data?.backups.length === 0 && <p>{t("No backups yet.")}</p>}
      {data && data.backups.length > 0 && (
        <ul className="kept-list">
          {data.backups.map((backup) => (
            <BackupRow
              key={backup.name}
              backup={backup}
              onSave={() => save.mutate({ operation: getBackupFile, params: { name: backup.name } })}
              onRestore={() => setDialog({ what: "restore", backup })}
              onDelete={() => setDialog({ what: "delete", backup })}
            />
          ))}
        </ul>
      )}
      {dialog?.what === "restore" && (
        <RestoreDialog
          at={dialog.backup.at}
          onRestore={() => onRestart({ kind: "backup", name: dialog.backup.name })}
          onClose={close}
        />
      )}
      {dialog?.what === "delete" && (
        <ConfirmDialog
          title={t("Delete this backup?")}
          confirmLabel={t("Delete")}
          onConfirm={() => removeBackup.mutate(dialog.backup.name)}
          onClose={close}
        >
          <p>
            {t("The backup of {{moment}} will be deleted. This cannot be undone.", {
              moment: formatDateTime(dialog.backup.at),
            })}
          </p>
        </ConfirmDialog>
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
  const moment = formatDateTime(at);
  return (
    <li>
      <span className="kept-what">
        <time dateTime={at}>{moment}</time>
        <span>
          {formatBytes(bytes)} · {backupOriginText(by)}
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
