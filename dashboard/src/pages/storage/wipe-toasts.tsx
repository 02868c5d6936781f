// Toasts about games that will be wiped: how long a person can undo it, and the result.

import type { Wipe } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { gameName } from "../../ui/game-name.ts";
import { useCountdown } from "../../ui/use-countdown.ts";

/** `isVisible` is false if the page shows the text elsewhere; then only screen readers get it. */
type WipeStatus = { readonly text: string; readonly isVisible: boolean };
const noStatus: WipeStatus = { text: "", isVisible: false };

type Props = {
  wipes: readonly Wipe[];
  /** The game whose wipe a person is undoing. */
  undoing: string | undefined;
  /** The result of the last wipe or undo. */
  status: WipeStatus;
  onUndo: (game: string) => void;
};

export function WipeToasts({ wipes, undoing, status, onUndo }: Props) {
  return (
    <div className="toast-place">
      {wipes.map((wipe) => (
        <WipeToast key={wipe.game} wipe={wipe} isUndoing={undoing === wipe.game} onUndo={onUndo} />
      ))}
      {/* Stays in the page even while empty, because screen readers announce only changes of elements that exist already. */}
      <p className={status.isVisible ? "floating toast" : "unseen"} role="status">
        {status.text}
      </p>
    </div>
  );
}

type ToastProps = { wipe: Wipe; isUndoing: boolean; onUndo: (game: string) => void };

/** Screen readers announce the wipe once, but not its countdown. */
function WipeToast({ wipe: { game, dueAt }, isUndoing, onUndo }: ToastProps) {
  const seconds = useCountdown(dueAt);
  const name = gameName(game);
  return (
    <div className="floating toast" data-tone="bad">
      <span aria-hidden={seconds > 0}>
        {seconds > 0
          ? t("{{game}} will be wiped in {{seconds}} s", { game: name, seconds })
          : t("{{game}} is being wiped", { game: name })}
      </span>
      {seconds > 0 && (
        <Button
          size="1"
          variant="soft"
          disabled={isUndoing}
          aria-label={t("Undo: wipe {{game}}", { game: name })}
          onClick={() => onUndo(game)}
        >
          {t("Undo")}
        </Button>
      )}
    </div>
  );
}

const visibleMs = 10_000;

/** Returns the result of a wipe when its game leaves the list, and clears the result after a while. */
export function useWipeStatus(wipes: readonly Wipe[] | undefined) {
  const [status, setStatus] = useState(noStatus);
  const known = useRef<readonly Wipe[]>([]);
  useEffect(() => {
    if (wipes === undefined) return;
    const gone = known.current.filter(({ game }) => !wipes.some((each) => each.game === game));
    const done = gone.find(({ dueAt }) => Date.parse(dueAt) <= Date.now());
    if (done !== undefined)
      setStatus({ text: t("{{game}} was wiped.", { game: gameName(done.game) }), isVisible: true });
    known.current = wipes;
  }, [wipes]);
  useEffect(() => {
    if (status === noStatus) return;
    const timer = setTimeout(() => setStatus(noStatus), visibleMs);
    return () => clearTimeout(timer);
  }, [status]);
  return { status, setStatus };
}
