// Previous data, which a restore, a wipe or a repair replaced: restore or delete it. Hidden if there is none.
import type { PreviousData } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useState } from "react";
import { usePreviousData } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatBytes } from "../../ui/format.ts";
import { PageSection } from "../../ui/section.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { formatDateAndMinute, previousDataReason } from "./storage-text.ts";
import { StoredRow } from "./stored-row.tsx";
import type { RestartRequest, useStorageCommands } from "./use-storage-commands.ts";

type Props = { actions: ReturnType<typeof useStorageCommands>; onRestart: (what: RestartRequest) => void };

export function PreviousDataSection({ actions: { removeAside }, onRestart }: Props) {
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

type RowProps = { aside: PreviousData; onRestore: () => void; onDelete: () => void };

function PreviousDataRow({ aside: { at, bytes, why }, onRestore, onDelete }: RowProps) {
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
