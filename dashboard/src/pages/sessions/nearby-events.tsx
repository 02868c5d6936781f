// What is open beside the list: the footage at its second where there is any, what it is, and where it leads.
import type { TimelineEntry } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { type RefObject, useEffect, useId, useRef } from "react";
import { useClip } from "../../api/use-clips.ts";
import { t } from "../../language/language.ts";
import { clipsAddress, rowAddress } from "../../ui/address.ts";
import type { PlayerMove } from "../../ui/clips/player-keys.ts";
import { Stage } from "../../ui/clips/stage.tsx";
import { usePlayback } from "../../ui/clips/use-playback.ts";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/labels.tsx";
import type { Item } from "../../ui/sessions/session-items.ts";
import { timesWord } from "../../ui/sessions/session-words.ts";
import { addressOfItem } from "./item-address.ts";
import { labelOf, offsetOf, stateOf } from "./item-words.ts";
import { laneIcons, laneWord } from "./lane-words.ts";
import { ToneBadge } from "./session-labels.tsx";

/** Does with the footage what a key means; false where there is none. */
export type PlayerGo = (move: PlayerMove) => boolean;

type Props = { item: Item; startMs: number; go: RefObject<PlayerGo | undefined>; onClose: () => void };

export function NearbyEvents({ item, startMs, go, onClose }: Props) {
  const title = useId();
  const panel = useRef<HTMLElement>(null);
  // It may be below what is seen: nothing would seem to happen.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { entry, clip } = item;
  const of = clip?.id ?? entry?.clip ?? undefined;
  const says = labelOf(item);
  return (
    <aside ref={panel} className="beside" aria-labelledby={title} data-lane={item.lane}>
      <header>
        <h2 id={title}>
          <bdi>{says}</bdi>
        </h2>
        <IconButton variant="ghost" color="gray" aria-label={t("Close")} title={t("Close (Esc)")} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <p className="beside-about">
        <span className="lane-name">
          <Icon name={laneIcons[item.lane]} size={14} />
          {laneWord(item.lane)}
        </span>
        <ToneBadge {...stateOf(item)} />
        {entry && entry.count > 1 && <span>{t("{{times}} in this minute", { times: timesWord(entry) })}</span>}
        <span>{t("at {{time}}", { time: offsetOf(item, startMs) })}</span>
        <Time at={entry?.at ?? clip?.from ?? ""} />
      </p>
      {of !== undefined && <Footage id={of} second={entry?.second ?? 0} go={go} />}
      <div className="beside-links">
        {entry ? <EntryLinks entry={entry} /> : <Lead href={addressOfItem(item)} says={t("Open the clip")} />}
        {entry?.clip && (
          <a className="beside-quiet" href={clipsAddress(entry.clip)}>
            {t("Open the clip")}
          </a>
        )}
        {entry && (entry.issue ?? entry.post) !== null && (
          <a className="beside-quiet" href={rowAddress(entry.id)}>
            {t("Receipt")}
          </a>
        )}
      </div>
    </aside>
  );
}

function Lead({ href, says }: { href: string; says: string }) {
  return (
    <Button asChild variant="soft">
      <a href={href}>{says}</a>
    </Button>
  );
}

function EntryLinks({ entry }: { entry: TimelineEntry }) {
  const says = entry.issue !== null ? t("Open the issue") : entry.post !== null ? t("Open the post") : t("Receipt");
  return <Lead href={addressOfItem({ entry })} says={says} />;
}

/** The very end of a file shows nothing in some browsers. */
const beforeEndSeconds = 0.1;

function Footage({ id, second, go }: { id: string; second: number; go: Props["go"] }) {
  const { data: clip, error } = useClip(id);
  const playback = usePlayback(clip);
  useEffect(() => {
    go.current = playback.go;
    return () => {
      go.current = undefined;
    };
  }, [go, playback.go]);
  if (error && !clip) return <p className="session-wait">{t("Its clip is no longer there.")}</p>;
  if (clip === undefined) return <div className="player-stage" aria-busy="true" />;
  const at = Math.max(0, Math.min(second, clip.duration - beforeEndSeconds));
  return <Stage clip={clip} playback={playback} startAt={at} />;
}
