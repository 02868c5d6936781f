// A toast, which confirms an action and offers undo while it is visible.
import { Button } from "@radix-ui/themes";
import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "../language/language.ts";

const shownMs = 10_000;

export type ToastMessage = {
  /** Increases with each toast, so that screen readers announce the same text again. */
  readonly number: number;
  readonly says: string;
  readonly undo?: () => void;
};

/** Holds the message of a toast. `show` replaces it. */
export function useToast() {
  const [message, setMessage] = useState<ToastMessage>();
  const count = useRef(0);
  const show = useCallback((says: string, undo?: () => void) => {
    count.current += 1;
    setMessage({ number: count.current, says, ...(undo && { undo }) });
  }, []);
  const dismiss = useCallback(() => setMessage(undefined), []);
  return { message, show, dismiss };
}

type Props = { done: ToastMessage | undefined; onGone: () => void };

/** Stays in the page even while empty, because screen readers announce only changes of elements that exist already. */
export function Toast({ done, onGone }: Props) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    // A toast stays while the pointer or the focus is on it.
    if (done === undefined || held) return;
    const timer = setTimeout(onGone, shownMs);
    return () => clearTimeout(timer);
  }, [done, held, onGone]);
  useEffect(() => {
    if (done === undefined) setHeld(false);
  }, [done]);
  return (
    <div
      className="toast-place"
      role="status"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {done && (
        <div key={done.number} className="floating toast">
          <span>{done.says}</span>
          {done.undo && (
            <Button size="1" variant="soft" onClick={done.undo}>
              {t("Undo")}
            </Button>
          )}
          <Button size="1" variant="ghost" color="gray" onClick={onGone}>
            {t("Dismiss")}
          </Button>
        </div>
      )}
    </div>
  );
}
