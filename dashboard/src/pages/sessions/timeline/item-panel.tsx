// The panel of the open item: its footage, state and links.
import type { TimelineEntry } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { type RefObject, useEffect, useId, useRef } from "react";
import { useClip } from "../../../api/use-clips.ts";
import { t } from "../../../language/language.ts";
import { clipsAddress, rowAddress } from "../../../ui/address.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Time, ToneBadge } from "../../../ui/labels.tsx";
import type { PlayerMove } from "../../../ui/player/player-keys.ts";
import { PlayerStage } from "../../../ui/player/player-stage.tsx";
import { usePlayback } from "../../../ui/player/use-playback.ts";
import { occurrencesText } from "../session-text.ts";
import { itemAddress, itemLabel, itemOffset, itemState, timelineRowIcons, timelineRowItemName } from "./item-text.ts";
import type { TimelineItem } from "./session-items.ts";

/** Applies a command to the player of the open item. Returns false if there is no player. */
export type PlayerControl = (move: PlayerMove) => boolean;

type Props = {
  item: TimelineItem;
  startMs: number;
  playerControl: RefObject<PlayerControl | undefined>;
  onClose: () => void;
};

export function ItemPanel({ item, startMs, playerControl, onClose }: Props) {
  const title = useId();
  const panel = useRef<HTMLElement>(null);
  // Scrolled into view, because the panel may be below the visible part of the page.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, []);
  const { entry, clip } = item;
  const of = clip?.id ?? entry?.clip ?? undefined;
  const says = itemLabel(item);
  return (
    <aside ref={panel} className="card beside" aria-labelledby={title} data-lane={item.row}>
      <header className="spread">
        <h2 id={title}>
          <bdi>{says}</bdi>
        </h2>
        <IconButton variant="ghost" color="gray" aria-label={t("Close")} title={t("Close (Esc)")} onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </header>
      <p className="cluster small quiet">
        <span className="with-icon">
          <Icon name={timelineRowIcons[item.row]} size={14} />
          {timelineRowItemName(item.row)}
        </span>
        <ToneBadge {...itemState(item)} />
        {entry && entry.count > 1 && <span>{t("{{times}} in this minute", { times: occurrencesText(entry) })}</span>}
        <span>{t("at {{time}}", { time: itemOffset(item, startMs) })}</span>
        <Time at={entry?.at ?? clip?.from ?? ""} />
      </p>
      {of !== undefined && <Footage id={of} second={entry?.second ?? 0} playerControl={playerControl} />}
      <div className="cluster">
        {entry ? <EntryLinks entry={entry} /> : <Lead href={itemAddress(item)} says={t("Open the clip")} />}
        {entry?.clip && <a href={clipsAddress(entry.clip)}>{t("Open the clip")}</a>}
        {entry && (entry.issue ?? entry.post) !== null && <a href={rowAddress(entry.id)}>{t("Receipt")}</a>}
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
  return <Lead href={itemAddress({ entry })} says={says} />;
}

/**
 * Footage is paused at least this long before its end, because some browsers show nothing at the very end of a file.
 */
const endMarginSeconds = 0.1;

function Footage({ id, second, playerControl }: { id: string; second: number; playerControl: Props["playerControl"] }) {
  const { data: clip, error } = useClip(id);
  const playback = usePlayback(clip);
  useEffect(() => {
    playerControl.current = playback.go;
    return () => {
      playerControl.current = undefined;
    };
  }, [playerControl, playback.go]);
  if (error && !clip) return <p className="quiet">{t("The clip no longer exists.")}</p>;
  if (clip === undefined) return <div className="player-stage" aria-busy="true" />;
  const at = Math.max(0, Math.min(second, clip.duration - endMarginSeconds));
  return <PlayerStage clip={clip} playback={playback} startAt={at} />;
}
