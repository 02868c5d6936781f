// The buttons that make one video of the best moments of sessions or of a day, in a dialog with their best clips.
import { type Clip, oneClipPerMoment } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { lazy, Suspense, useState } from "react";
import { useBestClipsIn } from "../../api/use-clips.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { formatDay } from "../format.ts";
import { Icon } from "../icon.tsx";
import { gameName } from "../names.ts";

/** The first page of the dashboard has this button, so the dialog is fetched only when it opens. */
const ReelDialog = lazy(async () => ({ default: (await import("./reel/reel-dialog.tsx")).ReelDialog }));

const partsMax = 10;

/** The best clips of one or more sessions, the best first. With fewer than two there is nothing to join, and no button. */
export function BestReel({ clips }: { clips: readonly Clip[] }) {
  const [chosen, setChosen] = useState<readonly Clip[]>();
  const [reel, setReel] = useState<Clip>();
  const [first, ...others] = clips.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
  if (first === undefined || others.length === 0) return null;
  const titled = t("Best of {{game}}, {{day}}", { game: gameName(first.game, 80), day: formatDay(first.startedAt) });
  const isOneGame = others.every(({ game }) => game === first.game);
  return (
    <span className="cluster tight">
      <Button size="1" variant="soft" onClick={() => setChosen(clips.slice(0, partsMax))}>
        <Icon name="film" size={14} />
        {t("Reel of the best moments")}
      </Button>
      <span role="status">
        {reel && (
          <a className="small" href={clipsAddress(reel.id)}>
            {t("Open the reel")}
          </a>
        )}
      </span>
      {chosen && (
        <Suspense>
          <ReelDialog
            clips={chosen}
            titled={isOneGame ? titled : undefined}
            onMade={(made) => {
              setReel(made);
              setChosen(undefined);
            }}
            onClose={() => setChosen(undefined)}
          />
        </Suspense>
      )}
    </span>
  );
}

const bestLoaded = (clips: readonly Clip[]) =>
  oneClipPerMoment(
    clips.filter(({ kind, state, subject }) => kind === "clip" && state === "saved" && subject === "highlight"),
  );

type DayReelButtonProps = {
  /** Those of a day that the page has loaded. */
  clips: readonly Clip[];
  onOpen: (clips: readonly Clip[]) => void;
};

/** With fewer than two moments there is nothing to join, and no button. */
export function DayReelButton({ clips, onOpen }: DayReelButtonProps) {
  if (bestLoaded(clips).length < 2) return null;
  return (
    <Button size="1" variant="soft" onClick={() => onOpen(clips)}>
      <Icon name="film" size={14} />
      {t("Reel of this day")}
    </Button>
  );
}

type DayReelProps = {
  /** Some clips of the day. The dialog gets the best of the whole day, or of these if the others cannot be fetched. */
  clips: readonly Clip[];
  /** Only clips of this game. */
  game: string | undefined;
  onMade: () => void;
  onClose: () => void;
};

export function DayReel({ clips, game, onMade, onClose }: DayReelProps) {
  const midnight = new Date(clips[0]?.startedAt ?? 0);
  midnight.setHours(0, 0, 0, 0);
  const next = new Date(midnight);
  next.setDate(midnight.getDate() + 1);
  const day = { from: midnight.toISOString(), to: next.toISOString(), ...(game !== undefined && { game }) };
  const { data, isError } = useBestClipsIn(day);
  const best = data ?? (isError ? bestLoaded(clips) : undefined);
  if (best === undefined) return null;
  return (
    <Suspense>
      <ReelDialog clips={best.slice(0, partsMax)} onMade={onMade} onClose={onClose} />
    </Suspense>
  );
}
