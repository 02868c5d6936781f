// Games that are about to be wiped: how long there is to undo it, and what became of it.

import type { Wipe } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { gameWord } from "../../ui/game-name.ts";
import { useCountdown } from "../../ui/use-countdown.ts";

/** What is shown otherwise is only told to who listens. */
type Said = { readonly text: string; readonly shown: boolean };
const nothing: Said = { text: "", shown: false };

type Props = {
  wipes: readonly Wipe[];
  /** The one whose undo is on its way. */
  undoing: string | undefined;
  /** What was last done here; said until another is. */
  said: Said;
  onUndo: (game: string) => void;
};

export function WipeToasts({ wipes, undoing, said, onUndo }: Props) {
  return (
    <div className="toast-place kept-toasts">
      {wipes.map((wipe) => (
        <WipeToast key={wipe.game} wipe={wipe} isUndoing={undoing === wipe.game} onUndo={onUndo} />
      ))}
      {/* It stays in the page while it is empty: a screen reader only hears what changes in one it knows. */}
      <p className={said.shown ? "toast" : "unseen"} role="status">
        {said.text}
      </p>
    </div>
  );
}

type ToastProps = { wipe: Wipe; isUndoing: boolean; onUndo: (game: string) => void };

/** The seconds are for who sees; who listens is told once. */
function WipeToast({ wipe: { game, dueAt }, isUndoing, onUndo }: ToastProps) {
  const seconds = useCountdown(dueAt);
  const name = gameWord(game);
  return (
    <div className="toast" data-tone="bad">
      <span aria-hidden={seconds > 0}>
        {seconds > 0
          ? t("{{game}} is wiped in {{seconds}} s", { game: name, seconds })
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

const shownMs = 10_000;

/** Says when a game that was due is gone from the list, and forgets what it said after a while. */
export function useWipeSaying(wipes: readonly Wipe[] | undefined) {
  const [said, say] = useState(nothing);
  const known = useRef<readonly Wipe[]>([]);
  useEffect(() => {
    if (wipes === undefined) return;
    const gone = known.current.filter(({ game }) => !wipes.some((each) => each.game === game));
    const done = gone.find(({ dueAt }) => Date.parse(dueAt) <= Date.now());
    if (done !== undefined) say({ text: t("{{game}} was wiped.", { game: gameWord(done.game) }), shown: true });
    known.current = wipes;
  }, [wipes]);
  useEffect(() => {
    if (said === nothing) return;
    const timer = setTimeout(() => say(nothing), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  return { said, say };
}
