// A modal dialog of the browser, which keeps the focus inside and closes on Escape or a click outside it.
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";

type Props = {
  labelledBy: string;
  className: string;
  onClose: () => void;
  /** The element that gets the focus first; by default the first button of the dialog. */
  focusFirst?: RefObject<HTMLElement | null>;
  children: ReactNode;
};

/** A dialog that is open as long as it is rendered. */
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
