// The browser's own modal dialog: it keeps the focus, closes on Escape and on a click beside it.
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

type Props = {
  labelledBy: string;
  className: string;
  onClose: () => void;
  /** What gets the focus first; the dialog's first button when left out. */
  focusFirst?: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** Open for as long as it is drawn. */
export function Dialog({ labelledBy, className, onClose, focusFirst, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed before it is taken out of the page: only then the browser gives the focus back.
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
        // Closed by its owner, so that what is drawn and what is open stay the same.
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
