// What goes with a game, counted and named, before it goes.

import type { StoredAmounts } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId } from "react";
import { usePinnedOf, useWipePlan } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { gameWord } from "../../ui/game-name.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { holdingLines, numberOf } from "./storage-words.ts";

type Props = { game: string; onWipe: () => void; onClose: () => void };

export function WipeDialog({ game, onWipe, onClose }: Props) {
  const title = useId();
  const { data, error } = useWipePlan(game);
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Wipe {{game}}?", { game: gameWord(game) })}</h2>
      {error && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {!error && (
        <div className="kept-plan" aria-busy={data === undefined}>
          {data === undefined ? <p className="kept-quiet">{t("Counting")}</p> : <Plan holdings={data.holdings} />}
        </div>
      )}
      {data && data.holdings.pinned > 0 && <Pinned game={game} pinned={data.holdings.pinned} />}
      <p className="kept-quiet">
        {t(
          "It begins in half a minute, and you can undo it until then. After that it cannot be undone. Backups you made, and what was set aside, still have it.",
        )}
      </p>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Keep it")}
        </Button>
        <Button
          color="ruby"
          disabled={data === undefined}
          onClick={() => {
            onClose();
            onWipe();
          }}
        >
          {t("Wipe")}
        </Button>
      </div>
    </Dialog>
  );
}

function Plan({ holdings }: { holdings: StoredAmounts }) {
  const lines = holdingLines(holdings);
  return (
    <>
      <p>{t("This goes, for good:")}</p>
      <ul className="kept-says">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>{t("Its rules and how it looks here")}</li>
        <li>{t("Kit's own backups; a new one is made without it")}</li>
      </ul>
    </>
  );
}

/** A pin says that a clip is to stay: it is named before it goes. */
function Pinned({ game, pinned }: { game: string; pinned: number }) {
  const { data } = usePinnedOf(game, pinned);
  const named = data?.clips ?? [];
  return (
    <div className="kept-pinned">
      <p>
        {t("{{number}} pinned clips are among them:", {
          count: pinned,
          number: numberOf(pinned),
          defaultValue_one: "{{number}} pinned clip is among them:",
        })}
      </p>
      <ul className="kept-says">
        {named.map(({ id, title }) => (
          <li key={id}>
            <bdi>{visibleLine(title, 120)}</bdi>
          </li>
        ))}
        {data && pinned > named.length && (
          <li>{t("and {{number}} more", { count: pinned - named.length, number: numberOf(pinned - named.length) })}</li>
        )}
      </ul>
    </div>
  );
}
