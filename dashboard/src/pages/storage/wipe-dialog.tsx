// Shows what a wipe of a game deletes, and asks for confirmation.
import type { StoredAmounts } from "@kit/contract";
import { usePinnedClips, useWipePlan } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatNumber } from "../../ui/format.ts";
import { gameName } from "../../ui/game-name.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { storedAmountLines } from "./storage-text.ts";

type Props = { game: string; onWipe: () => void; onClose: () => void };

export function WipeDialog({ game, onWipe, onClose }: Props) {
  const { data, error } = useWipePlan(game);
  return (
    <ConfirmDialog
      title={t("Wipe {{game}}?", { game: gameName(game) })}
      confirmLabel={t("Wipe")}
      disabled={data === undefined}
      onConfirm={onWipe}
      onClose={onClose}
    >
      <ErrorText error={error} />
      {!error && (
        <div className="stack tight wipe-plan" aria-busy={data === undefined}>
          {data === undefined ? <p className="quiet">{t("Counting…")}</p> : <DeletedData holdings={data.holdings} />}
        </div>
      )}
      {data && data.holdings.pinned > 0 && <PinnedClips game={game} pinned={data.holdings.pinned} />}
      <p className="quiet">
        {t(
          "The wipe begins in half a minute and can be undone until then. Backups that you made and data that was set aside still contain the game.",
        )}
      </p>
    </ConfirmDialog>
  );
}

function DeletedData({ holdings }: { holdings: StoredAmounts }) {
  const lines = storedAmountLines(holdings);
  return (
    <>
      <p>{t("This will be deleted permanently:")}</p>
      <ul className="bullets">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>{t("Its rules and its appearance in Kit")}</li>
        <li>{t("Kit's automatic backups (Kit makes a new one without this game)")}</li>
      </ul>
    </>
  );
}

/** Lists the pinned clips by name, because a person pinned them so that they are not deleted. */
function PinnedClips({ game, pinned }: { game: string; pinned: number }) {
  const { data } = usePinnedClips(game, pinned);
  const named = data?.clips ?? [];
  return (
    <div className="note">
      <p>
        {t("{{number}} pinned clips are among them:", {
          count: pinned,
          number: formatNumber(pinned),
          defaultValue_one: "{{number}} pinned clip is among them:",
        })}
      </p>
      <ul className="bullets">
        {named.map(({ id, title }) => (
          <li key={id}>
            <bdi>{visibleLine(title, 120)}</bdi>
          </li>
        ))}
        {data && pinned > named.length && (
          <li>
            {t("and {{number}} more", { count: pinned - named.length, number: formatNumber(pinned - named.length) })}
          </li>
        )}
      </ul>
    </div>
  );
}
