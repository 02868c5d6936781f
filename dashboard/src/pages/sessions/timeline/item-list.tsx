// The items of a timeline as a list, for screen readers and small windows, and the panel of the open item.
import type { TimelineEntry } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { useClip } from "../../../api/use-clips.ts";
import { t } from "../../../language/language.ts";
import { clipsAddress, rowAddress } from "../../../ui/address.ts";
import { formatClock, formatDuration } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Time, ToneBadge } from "../../../ui/labels.tsx";
import type { PlayerMove } from "../../../ui/player/player-keys.ts";
import { PlayerStage } from "../../../ui/player/player-stage.tsx";
import { usePlayback } from "../../../ui/player/use-playback.ts";
import { PageSection } from "../../../ui/section.tsx";
import { occurrencesText } from "../session-text.ts";
import { itemAddress, itemLabel, itemOffset, itemState, timelineRowIcons, timelineRowItemName } from "./item-text.ts";
import { type TimelineItem, type TimelineTrack, toTimelineList } from "./session-items.ts";

/** Applies a command to the player of the open item. Returns false if there is no player. */
export type PlayerControl = (move: PlayerMove) => boolean;

type ItemPanelProps = {
  item: TimelineItem;
  startMs: number;
  playerControl: RefObject<PlayerControl | undefined>;
  onClose: () => void;
};

/** The panel of the open item: its footage, state and links. */
export function ItemPanel({ item, startMs, playerControl, onClose }: ItemPanelProps) {
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

function Footage({
  id,
  second,
  playerControl,
}: {
  id: string;
  second: number;
  playerControl: ItemPanelProps["playerControl"];
}) {
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

const linesPerPage = 200;

type Props = {
  track: TimelineTrack;
  current: TimelineItem | undefined;
  opened: TimelineItem | undefined;
  startMs: number;
  onShow: (item: TimelineItem) => void;
};

/** Splits the list into pages, and shows the page with the selected item. */
function useLinePages({ track, current }: Pick<Props, "track" | "current">) {
  const listed = useMemo(() => toTimelineList(track.items, track.gaps), [track]);
  const [page, setPage] = useState(0);
  const at = current === undefined ? -1 : listed.findIndex(({ item }) => item?.key === current.key);
  useEffect(() => {
    if (at >= 0) setPage(Math.floor(at / linesPerPage));
  }, [at]);
  const from = page * linesPerPage;
  return {
    lines: listed.slice(from, from + linesPerPage),
    earlier: from > 0 ? () => setPage(page - 1) : undefined,
    later: from + linesPerPage < listed.length ? () => setPage(page + 1) : undefined,
  };
}

export function ItemList({ track, current, opened, startMs, onShow }: Props) {
  const { lines, earlier, later } = useLinePages({ track, current });
  return (
    <PageSection title={t("What happened")}>
      {track.items.length === 0 && <p className="quiet">{t("Nothing is stored for this session yet.")}</p>}
      <PageButton says={t("Show earlier entries")} onShow={earlier} />
      <ol className="lines">
        {lines.map(({ item, gap }) =>
          item === undefined ? (
            <li key={`gap ${gap.fromMs}`} className="item-gap small quiet">
              {t("Nothing happened for {{length}}", { length: formatDuration(gap.toMs - gap.fromMs) })}
            </li>
          ) : (
            <Line
              key={item.key}
              item={item}
              startMs={startMs}
              isCurrent={item.key === current?.key}
              isOpen={item.key === opened?.key}
              onShow={onShow}
            />
          ),
        )}
      </ol>
      <PageButton says={t("Show later entries")} onShow={later} />
    </PageSection>
  );
}

function PageButton({ says, onShow }: { says: string; onShow: (() => void) | undefined }) {
  if (onShow === undefined) return null;
  return (
    <p className="cluster quiet">
      <Button size="1" variant="soft" color="gray" onClick={onShow}>
        {says}
      </Button>
    </p>
  );
}

type LineProps = {
  item: TimelineItem;
  startMs: number;
  isCurrent: boolean;
  isOpen: boolean;
  onShow: (item: TimelineItem) => void;
};

function Line({ item, startMs, isCurrent, isOpen, onShow }: LineProps) {
  const { row: lane, entry } = item;
  const times = entry === undefined ? "" : occurrencesText(entry);
  return (
    <li className="item" data-lane={lane} data-current={isCurrent} data-open={isOpen}>
      <time className="numbers" dateTime={new Date(item.atMs).toISOString()} title={new Date(item.atMs).toISOString()}>
        {itemOffset(item, startMs)}
      </time>
      <span className="with-icon" title={timelineRowItemName(lane)}>
        <Icon name={timelineRowIcons[lane]} size={14} />
        <span className="unseen">{timelineRowItemName(lane)}</span>
      </span>
      <span className="item-words">
        <button type="button" className="bare ellipsis" aria-pressed={isOpen} onClick={() => onShow(item)}>
          <bdi>{itemLabel(item)}</bdi>
        </button>
        {times !== "" && <span className="small quiet">{times}</span>}
      </span>
      <ToneBadge {...itemState(item)} />
      <span className="item-links small numbers">
        <Links item={item} />
      </span>
    </li>
  );
}

function Links({ item }: { item: TimelineItem }) {
  const { entry, clip } = item;
  const of = clip?.id ?? entry?.clip;
  const seconds = entry?.second ?? 0;
  return (
    <>
      {of && (
        <a href={clipsAddress(of)} aria-label={t("Clip of {{moment}}", { moment: itemLabel(item) })}>
          {clip ? t("Clip") : t("Clip at {{time}}", { time: formatClock(seconds) })}
        </a>
      )}
      {entry && (
        <a href={itemAddress(item)} aria-label={linkLabel(item)}>
          {linkText(item)}
        </a>
      )}
    </>
  );
}

const linkText = ({ entry }: TimelineItem): string =>
  entry?.issue != null ? t("Issue") : entry?.post != null ? t("Post") : t("Receipt");

function linkLabel(item: TimelineItem): string {
  const moment = itemLabel(item);
  if (item.entry?.issue != null) return t("Issue of {{moment}}", { moment });
  return item.entry?.post != null ? t("Post of {{moment}}", { moment }) : t("Receipt of {{moment}}", { moment });
}
