// A dialog that explains an action and asks for confirmation, and a button that removes something after such a dialog.
import { Button } from "@radix-ui/themes";
import { type ReactNode, useId, useState } from "react";
import { t } from "../language/language.ts";
import { Dialog } from "./dialog.tsx";

type Props = {
  title: string;
  confirmLabel: string;
  /** Red by default, because most actions that need a confirmation cannot be undone. */
  color?: "ruby" | "iris";
  disabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
};

export function ConfirmDialog(props: Props) {
  const { title, confirmLabel, color = "ruby", disabled = false, onConfirm, onClose, children } = props;
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
          color={color}
          disabled={disabled}
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

type RemoveButtonProps = Pick<Props, "title" | "children"> & { label: string; onRemove: () => void };

/** A button that removes something after a person has confirmed it. */
export function RemoveButton({ title, label, onRemove, children }: RemoveButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant="soft" color="ruby" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <ConfirmDialog title={title} confirmLabel={label} onConfirm={onRemove} onClose={() => setAsking(false)}>
          {children}
        </ConfirmDialog>
      )}
    </>
  );
}
