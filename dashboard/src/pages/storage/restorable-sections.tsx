// The sections of what can be restored: backups, and previous data, which a restore, a wipe or a repair replaced.
import { type Backup, getBackupFile, type PreviousData } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type ReactNode, useState } from "react";
import { useDownload } from "../../api/media-pass.ts";
import { useBackups, usePreviousData } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatBytes, formatDateAndMinute } from "../../ui/format.ts";
import { Icon } from "../../ui/icon.tsx";
import { PageSection } from "../../ui/section.tsx";
import { backupOriginText, previousDataReason } from "./storage-text.ts";
import type { RestartRequest, useStorageCommands } from "./use-storage-commands.ts";

/** One line about stored data: when it was stored, what it is, and buttons for what can be done with it. */
function StoredRow({ at, about, children }: { at: string; about: string; children: ReactNode }) {
  return (
    <li className="cluster spread">
      <span className="stack flush numbers">
        <time dateTime={at}>{formatDateAndMinute(at)}</time>
        <span className="small quiet">{about}</span>
      </span>
      <span className="cluster tight">{children}</span>
    </li>
  );
}

type RestoreDialogProps = { at: string; onRestore: () => void; onClose: () => void };

/** Explains what a restore does, and asks for confirmation. */
function RestoreDialog({ at, onRestore, onClose }: RestoreDialogProps) {
  const moment = formatDateAndMinute(at);
  return (
    <ConfirmDialog
      title={t("Restore everything from {{moment}}?", { moment })}
      confirmLabel={t("Restore")}
      color="iris"
      onConfirm={onRestore}
      onClose={onClose}
    >
      <ul className="bullets">
        <li>
          {t("Kit restarts within seconds. Games keep running, but Kit does not receive what they send in that time.")}
        </li>
        <li>{t("The current data is set aside. You can restore it from this page.")}</li>
        <li>{t("Events, issues, posts and settings from after {{moment}} no longer appear.", { moment })}</li>
        <li>
          {t(
            "Clip files are not touched. Clips recorded since then stay in their folder but are not listed. Clips deleted since then are listed as missing.",
          )}
        </li>
      </ul>
    </ConfirmDialog>
  );
}

type SectionProps = { actions: ReturnType<typeof useStorageCommands>; onRestart: (what: RestartRequest) => void };

export function BackupsSection({ actions: { make, removeBackup }, onRestart }: SectionProps) {
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

type BackupRowProps = { backup: Backup; onSave: () => void; onRestore: () => void; onDelete: () => void };

function BackupRow({ backup: { at, bytes, by }, onSave, onRestore, onDelete }: BackupRowProps) {
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

/** Data that a restore, a wipe or a repair replaced. Hidden if there is none. */
export function PreviousDataSection({ actions: { removeAside }, onRestart }: SectionProps) {
  const { data } = usePreviousData();
  const [dialog, setDialog] = useState<{ what: "restore" | "delete"; aside: PreviousData }>();
  const close = () => setDialog(undefined);
  if (data === undefined || data.aside.length === 0) return null;
  return (
    <PageSection title={t("Previous data")}>
      <p className="quiet">
        {t("Data that was replaced, for example by a restore or a wipe. It uses disk space until you delete it.")}
      </p>
      <ErrorText error={removeAside.error} />
      <ul className="lines">
        {data.aside.map((aside) => (
          <PreviousDataRow
            key={aside.name}
            aside={aside}
            onRestore={() => setDialog({ what: "restore", aside })}
            onDelete={() => setDialog({ what: "delete", aside })}
          />
        ))}
      </ul>
      {dialog?.what === "restore" && (
        <RestoreDialog
          at={dialog.aside.at}
          onRestore={() => onRestart({ kind: "aside", name: dialog.aside.name })}
          onClose={close}
        />
      )}
      {dialog?.what === "delete" && (
        <ConfirmDialog
          title={t("Delete the previous data?")}
          confirmLabel={t("Delete")}
          onConfirm={() => removeAside.mutate(dialog.aside.name)}
          onClose={close}
        >
          <p>
            {t("The data set aside on {{moment}} ({{size}}) will be deleted permanently.", {
              moment: formatDateAndMinute(dialog.aside.at),
              size: formatBytes(dialog.aside.bytes),
            })}
          </p>
        </ConfirmDialog>
      )}
    </PageSection>
  );
}

type PreviousDataRowProps = { aside: PreviousData; onRestore: () => void; onDelete: () => void };

function PreviousDataRow({ aside: { at, bytes, why }, onRestore, onDelete }: PreviousDataRowProps) {
  const moment = formatDateAndMinute(at);
  return (
    <StoredRow at={at} about={`${formatBytes(bytes)} · ${previousDataReason(why)}`}>
      {/* A damaged database cannot be restored, so there is no button for it. */}
      {why !== "damaged" && (
        <Button
          size="1"
          variant="soft"
          aria-label={t("Restore the data set aside on {{moment}}", { moment })}
          onClick={onRestore}
        >
          {t("Restore")}
        </Button>
      )}
      <Button
        size="1"
        variant="soft"
        color="ruby"
        aria-label={t("Delete the data set aside on {{moment}}", { moment })}
        onClick={onDelete}
      >
        {t("Delete")}
      </Button>
    </StoredRow>
  );
}
