// What a restore does, before it is done.
import { Button } from "@radix-ui/themes";
import { useId } from "react";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { momentOf } from "./storage-words.ts";

type Props = { at: string; onRestore: () => void; onClose: () => void };

export function RestoreDialog({ at, onRestore, onClose }: Props) {
  const title = useId();
  const moment = momentOf(at);
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Take everything back to {{moment}}?", { moment })}</h2>
      <ul className="kept-says">
        <li>
          {t("Kit closes and opens again within seconds. Games go on; what they send in that time is not taken.")}
        </li>
        <li>{t("What is here now is set aside. You can bring it back from this page.")}</li>
        <li>{t("Events, issues, posts and settings from after {{moment}} are not shown any more.", { moment })}</li>
        <li>
          {t(
            "Clips' files are not touched: those recorded since stay in their folder without being listed, those deleted since are listed as missing.",
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
