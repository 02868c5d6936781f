// The browser's modal dialog: traps the focus and closes on Escape or an outside click.
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

type Props = {
  labelledBy: string;
  className: string;
  onClose: () => void;
  /** The element focused first; by default the dialog's first button. */
  focusFirst?: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** Open as long as it is rendered. */
export function Dialog({ labelledBy, className, onClose, focusFirst, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed before it is removed, because the browser restores the focus only then.
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
        // The owner closes the dialog, so that state and display stay in sync.
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
