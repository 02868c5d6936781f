// Lists what a wipe of a game deletes, and asks for confirmation.

import type { StoredAmounts } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useId } from "react";
import { usePinnedClips, useWipePlan } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { gameName } from "../../ui/game-name.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import { formatCount, storedAmountLines } from "./storage-text.ts";

type Props = { game: string; onWipe: () => void; onClose: () => void };

export function WipeDialog({ game, onWipe, onClose }: Props) {
  const title = useId();
  const { data, error } = useWipePlan(game);
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Wipe {{game}}?", { game: gameName(game) })}</h2>
      {error && (
        <p className="details-warning" role="alert">
          {visibleText(error.message)}
        </p>
      )}
      {!error && (
        <div className="kept-plan" aria-busy={data === undefined}>
          {data === undefined ? (
            <p className="kept-quiet">{t("Counting…")}</p>
          ) : (
            <DeletedData holdings={data.holdings} />
          )}
        </div>
      )}
      {data && data.holdings.pinned > 0 && <PinnedClips game={game} pinned={data.holdings.pinned} />}
      <p className="kept-quiet">
        {t(
          "The wipe begins in half a minute and can be undone until then. Backups that you made and data that was set aside still contain the game.",
        )}
      </p>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {t("Cancel")}
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

function DeletedData({ holdings }: { holdings: StoredAmounts }) {
  const lines = storedAmountLines(holdings);
  return (
    <>
      <p>{t("This will be deleted permanently:")}</p>
      <ul className="kept-says">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>{t("Its rules and its appearance in Kit")}</li>
        <li>{t("Kit's automatic backups (Kit makes a new one without this game)")}</li>
      </ul>
    </>
  );
}

/** Lists pinned clips by name, because a person pinned them to keep them. */
function PinnedClips({ game, pinned }: { game: string; pinned: number }) {
  const { data } = usePinnedClips(game, pinned);
  const named = data?.clips ?? [];
  return (
    <div className="kept-pinned">
      <p>
        {t("{{number}} pinned clips are among them:", {
          count: pinned,
          number: formatCount(pinned),
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
          <li>
            {t("and {{number}} more", { count: pinned - named.length, number: formatCount(pinned - named.length) })}
          </li>
        )}
      </ul>
    </div>
  );
}
