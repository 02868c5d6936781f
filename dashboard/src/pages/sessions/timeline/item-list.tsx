// The items of a timeline as a list, for screen readers and small windows.
import { Button } from "@radix-ui/themes";
import { useEffect, useMemo, useState } from "react";
import { t } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { formatClock, formatDuration } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { ToneBadge } from "../../../ui/labels.tsx";
import { PageSection } from "../../../ui/section.tsx";
import { occurrencesText } from "../session-text.ts";
import { itemAddress, itemLabel, itemOffset, itemState, timelineRowIcons, timelineRowItemName } from "./item-text.ts";
import { type TimelineItem, type TimelineTrack, toTimelineList } from "./session-items.ts";

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
