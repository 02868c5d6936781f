// Explains what a restore does, and asks for confirmation.
import { t } from "../../language/language.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { formatDateAndMinute } from "./storage-text.ts";

type Props = { at: string; onRestore: () => void; onClose: () => void };

export function RestoreDialog({ at, onRestore, onClose }: Props) {
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
