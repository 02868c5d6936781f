// Says what was just done, and takes it back on request for as long as it is shown.
import { Button } from "@radix-ui/themes";
import { useEffect, useState } from "react";
import { t } from "../language/language.ts";

const shownMs = 10_000;

export type Done = {
  /** Rises, so that doing the same twice is said twice. */
  readonly number: number;
  readonly says: string;
  readonly undo?: () => void;
};

type Props = { done: Done | undefined; onGone: () => void };

/** The status stays in the page while it is empty: a screen reader only hears what changes in one it knows. */
export function Toast({ done, onGone }: Props) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    // Whoever reaches for it must not see it vanish.
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
        <div key={done.number} className="toast">
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
