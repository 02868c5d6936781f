// The dialog that confirms a wipe, and the toasts that say what became of it.
import type { StoredAmounts, Wipe } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useEffect, useRef, useState } from "react";
import { usePinnedClips, useWipePlan } from "../../api/use-storage.ts";
import { t } from "../../language/language.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { formatNumber } from "../../ui/format.ts";
import { gameName } from "../../ui/names.ts";
import { useCountdown } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { storedAmountLines } from "./storage-text.ts";

type DialogProps = { game: string; onWipe: () => void; onClose: () => void };

export function WipeDialog({ game, onWipe, onClose }: DialogProps) {
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

/** `isVisible` is false if the page shows the text elsewhere; then only screen readers get it. */
type WipeStatus = { readonly text: string; readonly isVisible: boolean };
const noStatus: WipeStatus = { text: "", isVisible: false };

type ToastsProps = {
  wipes: readonly Wipe[];
  /** The game whose wipe a person is undoing. */
  undoing: string | undefined;
  /** The result of the last wipe or undo. */
  status: WipeStatus;
  onUndo: (game: string) => void;
};

export function WipeToasts({ wipes, undoing, status, onUndo }: ToastsProps) {
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
