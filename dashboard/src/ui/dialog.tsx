// A modal dialog, and one that asks for confirmation.
import { Button } from "@radix-ui/themes";
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { t } from "../language/language.ts";

type Props = {
  labelledBy: string;
  className: string;
  onClose: () => void;
  /** The element that gets the focus first; by default the first button of the dialog. */
  focusFirst?: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/**
 * A modal dialog of the browser, open as long as it is rendered. It keeps the focus inside, and closes on Escape or a
 * click outside it.
 */
export function Dialog({ labelledBy, className, onClose, focusFirst, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closes the dialog before it is removed from the page: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    focusFirst?.current?.focus();
    return () => element?.close();
  }, [focusFirst]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it on Escape
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        // Not closed here but by the component that renders it, so that its state and what is shown agree.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  );
}

/** The `ref` of a part that appears later in a dialog: scrolls to it, because it may begin or end below the dialog's edge. */
export function scrollIntoDialog(part: HTMLElement | null): void {
  part?.scrollIntoView({ block: "nearest" });
}

type ConfirmDialogProps = {
  title: string;
  confirmLabel: string;
  /** Red by default, because most actions that need a confirmation cannot be undone. */
  color?: "ruby" | "iris";
  disabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog that explains an action and asks for confirmation. */
export function ConfirmDialog(props: ConfirmDialogProps) {
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

type RemoveButtonProps = Pick<ConfirmDialogProps, "title" | "children"> & { label: string; onRemove: () => void };

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
