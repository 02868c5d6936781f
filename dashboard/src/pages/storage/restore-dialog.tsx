// Explains a restore and asks for confirmation.
import { Button } from "@radix-ui/themes";
import { useId } from "react";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { formatDateTime } from "./storage-text.ts";

type Props = { at: string; onRestore: () => void; onClose: () => void };

export function RestoreDialog({ at, onRestore, onClose }: Props) {
  const title = useId();
  const moment = formatDateTime(at);
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Restore everything from {{moment}}?", { moment })}</h2>
      <ul className="kept-says">
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
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button
          onClick={() => {
            onClose();
            onRestore();
          }}
        >
          {t("Restore")}
        </Button>
      </div>
    </Dialog>
  );
}
