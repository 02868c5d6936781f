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
  /** Whether to ask before text is lost that a person typed; true by default. */
  asksBeforeLoss?: boolean;
  children: ReactNode;
};

type Point = { readonly clientX: number; readonly clientY: number };

function isOutside(dialog: HTMLElement, { clientX, clientY }: Point): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

const isText = (field: EventTarget): boolean =>
  field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === "text");

/**
 * A modal dialog of the browser, open as long as it is rendered. It keeps the focus inside, and closes on Escape or a
 * click outside it. If a person typed something in it, it asks first.
 */
export function Dialog({ labelledBy, className, onClose, focusFirst, asksBeforeLoss = true, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hasTyped = useRef(false);
  const [isAsking, setAsking] = useState(false);
  /** Where the pointer went down: text may be marked from inside to outside. */
  const isPressedOutside = useRef(false);
  const leave = () => (hasTyped.current ? setAsking(true) : onClose());
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
        // The browser closes the dialog on a second Escape, whatever the page does.
        if (event.cancelable) leave();
        else onClose();
      }}
      onInput={({ target }) => {
        // A dialog inside this one asks by itself.
        const isOwn = target instanceof Element && target.closest("dialog") === dialog.current;
        if (asksBeforeLoss && isOwn && isText(target)) hasTyped.current = true;
      }}
      onPointerDown={(event) => {
        isPressedOutside.current = event.target === event.currentTarget && isOutside(event.currentTarget, event);
      }}
      onClick={(event) => {
        // The padding of the dialog is its target, too.
        if (event.target !== event.currentTarget || !isPressedOutside.current) return;
        if (isOutside(event.currentTarget, event)) leave();
      }}
    >
      {children}
      {isAsking && <DiscardQuestion onDiscard={onClose} onKeep={() => setAsking(false)} />}
    </dialog>
  );
}

function DiscardQuestion({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keep.current?.focus(), []);
  return (
    <div ref={scrollIntoDialog} className="note" role="alert">
      <p>{t("Close and discard what you typed?")}</p>
      <span className="cluster tight">
        <Button ref={keep} type="button" variant="soft" color="gray" onClick={onKeep}>
          {t("Keep editing")}
        </Button>
        <Button type="button" color="ruby" onClick={onDiscard}>
          {t("Discard")}
        </Button>
      </span>
    </div>
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
