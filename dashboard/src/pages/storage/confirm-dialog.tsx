// Asks for confirmation of an action that cannot be undone.
import { Button } from "@radix-ui/themes";
import { type ReactNode, useId } from "react";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";

type Props = { title: string; confirmLabel: string; onConfirm: () => void; onClose: () => void; children: ReactNode };

export function ConfirmDialog({ title, confirmLabel, onConfirm, onClose, children }: Props) {
  const id = useId();
  return (
    <Dialog className="panel" labelledBy={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
        </Button>
        <Button
          color="ruby"
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
