// The backups: make, download, restore and delete them.
import { type Backup, getBackupFile } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { useDownload } from "../../api/media-pass.tsx";
import { useBackups } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatBytes } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { PageSection } from "../../ui/section.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { backupOriginText, formatDateAndMinute } from "./storage-text.ts";
import { StoredRow } from "./stored-row.tsx";
import type { RestartRequest, useStorageCommands } from "./use-storage-commands.ts";

type Props = { actions: ReturnType<typeof useStorageCommands>; onRestart: (what: RestartRequest) => void };

export function BackupsSection({ actions: { make, removeBackup }, onRestart }: Props) {
  const { data, error } = useBackups();
  const [dialog, setDialog] = useState<{ what: "restore" | "delete"; backup: Backup }>();
  const save = useDownload();
  const trouble = save.error ?? make.error ?? removeBackup.error ?? (data ? null : error);
  const close = () => setDialog(undefined);
  return (
    <PageSection
      title={t("Backups")}
      end={
        <Button variant="soft" disabled={make.isPending} onClick={() => make.mutate()}>
          {make.isPending ? t("Creating the backup…") : t("Make a backup now")}
        </Button>
      }
    >
      <p className="quiet">
        {t("A backup is a full copy of the database. It does not contain clip files, passwords or keys.")}
      </p>
      <p className="done small" role="status">
        {make.isSuccess && !make.isPending && t("The backup was created and verified.")}
      </p>
      <ErrorText error={trouble} />
      {data?.backups.length === 0 && <p>{t("No backups yet.")}</p>}
      {data && data.backups.length > 0 && (
        <ul className="lines">
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
            {t("The backup from {{moment}} will be deleted. This cannot be undone.", {
              moment: formatDateAndMinute(dialog.backup.at),
            })}
          </p>
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

type RowProps = { backup: Backup; onSave: () => void; onRestore: () => void; onDelete: () => void };

function BackupRow({ backup: { at, bytes, by }, onSave, onRestore, onDelete }: RowProps) {
  const moment = formatDateAndMinute(at);
  return (
    <StoredRow at={at} about={`${formatBytes(bytes)} · ${backupOriginText(by)}`}>
      <Button
        size="1"
        variant="soft"
        color="gray"
        aria-label={t("Download the backup from {{moment}}", { moment })}
        onClick={onSave}
      >
        <Icon name="download" size={14} /> {t("Download")}
      </Button>
      <Button
        size="1"
        variant="soft"
        aria-label={t("Restore the backup from {{moment}}", { moment })}
        onClick={onRestore}
      >
        {t("Restore")}
      </Button>
      <Button
        size="1"
        variant="soft"
        color="ruby"
        aria-label={t("Delete the backup from {{moment}}", { moment })}
        onClick={onDelete}
      >
        {t("Delete")}
      </Button>
    </StoredRow>
  );
}
