// The gallery: rows of cards, grouped by day when sorted by newest, and the list of markers. Draws only rows near the
// viewport.
import type { Clip } from "@kit/contract";
import { Button, IconButton } from "@radix-ui/themes";
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { t, translateMessage } from "../../../language/language.ts";
import { clipsAddress } from "../../../ui/address.ts";
import { DayReel, DayReelButton } from "../../../ui/clips/best-reel.tsx";
import { clipTitle } from "../../../ui/clips/clip-text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Time } from "../../../ui/labels.tsx";
import { gameName } from "../../../ui/names.ts";
import { visibleLine } from "../../../ui/visible-text.ts";
import { type GalleryFilter, showsWholeDays } from "../clip-filter.ts";
import type { ClipCommands } from "../use-clip-commands.ts";
import { ClipCard, type ClipCardHandlers, cellProps, gridProps, headingProps, rowProps } from "./clip-card.tsx";
import { cardGapPx, columnCount, type GalleryRow, galleryRows } from "./gallery-rows.ts";
import type { VisibleClips } from "./use-clip-list.ts";
import { useFocusTarget, useGridKeys } from "./use-grid-keys.ts";
import type { Selection } from "./use-selection.ts";

type ClipGridProps = {
  clips: readonly Clip[];
  filter: GalleryFilter;
  query: string;
  nowMs: number;
  more: boolean;
  commands: ClipCommands;
  selection: Selection;
  /** The element that scrolls the gallery. */
  scroller: RefObject<HTMLElement | null>;
  onVisible: (visible: VisibleClips) => void;
};

/** How many rows are drawn beyond each end of the viewport. */
const overscanRows = 3;
/** Estimated height of a card's text and the gap below it. Used until the real height is measured. */
const cardWordsPx = 96;
const dayPx = 46;
const markersPx = 64;

/** Measures the gallery's width and its distance from the top of the scrolled content. */
function useGridPosition(grid: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const box = grid.current;
    const around = scroller.current;
    if (box === null || around === null) return;
    const measure = () => {
      const top = box.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop;
      const { clientWidth: width } = box;
      setPlace((now) => (now.width === width && Math.abs(now.top - top) < 1 ? now : { width, top }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [box, ...around.children]) observer.observe(element);
    return () => observer.disconnect();
  }, [grid, scroller]);
  return place;
}

function heightOf(row: GalleryRow | undefined, width: number, columns: number): number {
  if (row?.is === "day") return dayPx;
  if (row?.is === "markers") return markersPx;
  return ((width - (columns - 1) * cardGapPx) / columns) * (9 / 16) + cardWordsPx;
}

type VirtualizerOptions = Pick<ClipGridProps, "scroller"> & {
  rows: readonly GalleryRow[];
  columns: number;
  place: { width: number; top: number };
  kept: number;
};

/**
 * Draws the rows near the viewport, and always the row of the focused card: without it, the keyboard focus would be
 * lost.
 */
function useRowVirtualizer({ scroller, rows, columns, place: { width, top }, kept }: VirtualizerOptions) {
  const rangeExtractor = useCallback(
    (range: Range) => {
      const drawn = defaultRangeExtractor(range);
      return kept === -1 || drawn.includes(kept) ? drawn : [...drawn, kept].toSorted((a, b) => a - b);
    },
    [kept],
  );
  return useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index], width, columns),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: overscanRows,
    scrollMargin: top,
    rangeExtractor,
  });
}

/**
 * Visible ranges are rounded to a multiple of this number of clips, so that scrolling by one row does not redraw the
 * page.
 */
const rangeStepClips = 20;

/** Tells the page which clips are visible, rounded to `rangeStepClips`. */
function useReportVisible(
  rows: readonly GalleryRow[],
  lines: Virtualizer<HTMLElement, Element>,
  onVisible: ClipGridProps["onVisible"],
) {
  const starts = useMemo(() => {
    let sum = 0;
    return rows.map((row) => {
      const start = sum;
      sum += row.is === "day" ? 0 : row.clips.length;
      return start;
    });
  }, [rows]);
  const first = lines.range?.startIndex ?? 0;
  const last = lines.range?.endIndex ?? 0;
  const ending = rows[last];
  const from = Math.floor((starts[first] ?? 0) / rangeStepClips) * rangeStepClips;
  const end = (starts[last] ?? 0) + (ending === undefined || ending.is === "day" ? 0 : ending.clips.length);
  const to = Math.ceil(end / rangeStepClips) * rangeStepClips;
  useEffect(() => onVisible({ from, to }), [onVisible, from, to]);
}

export function ClipGrid(props: ClipGridProps) {
  const { clips, filter, query, nowMs, more, commands, selection, scroller } = props;
  const grid = useRef<HTMLDivElement>(null);
  // Not in the day's row, which leaves the page when it is scrolled away.
  const [reelOf, setReelOf] = useState<readonly Clip[]>();
  const onReel = showsWholeDays(filter) ? setReelOf : undefined;
  const place = useGridPosition(grid, scroller);
  const columns = columnCount(place.width);
  const day = new Date(nowMs).toDateString();
  const rows = useMemo(
    () => galleryRows({ clips, sort: filter.sort, columns, now: new Date(day) }),
    [clips, filter.sort, columns, day],
  );
  const { stop, on, sought } = useGridKeys({ rows, commands, selection });
  const kept = useMemo(
    () => rows.findIndex((row) => row.is === "cards" && row.clips.some(({ id }) => id === stop)),
    [rows, stop],
  );
  const lines = useRowVirtualizer({ scroller, rows, columns, place, kept });
  useReportVisible(rows, lines, props.onVisible);
  useFocusTarget(sought, rows, (row) => lines.scrollToIndex(row, { align: "auto" }));
  return (
    <div className="clip-days">
      <div
        ref={grid}
        className="clip-lines"
        {...gridProps(t("Clips"), more ? undefined : rows.length)}
        data-selecting={selection.clips.length > 0}
        style={{ height: lines.getTotalSize() }}
      >
        {place.width > 0 &&
          lines.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={lines.measureElement}
              className="clip-line"
              {...rowProps(index)}
              data-index={index}
              data-row={rows[index]?.is}
              style={{ transform: `translateY(${start - place.top}px)` }}
            >
              <Line row={rows[index]} {...{ onReel, columns, stop, query, nowMs, commands, selection }} {...on} />
            </div>
          ))}
      </div>
      {reelOf && (
        <DayReel
          clips={reelOf}
          game={filter.game}
          onMade={() => {
            setReelOf(undefined);
            commands.say(t("Making the reel. It appears in the gallery; its clips stay unchanged."));
          }}
          onClose={() => setReelOf(undefined)}
        />
      )}
    </div>
  );
}

type LineProps = ClipCardHandlers & {
  row: GalleryRow | undefined;
  /** Opens the reel of a day; undefined while some of its clips are hidden. */
  onReel: ((clips: readonly Clip[]) => void) | undefined;
  columns: number;
  stop: string | undefined;
  query: string;
  nowMs: number;
  commands: ClipCommands;
  selection: Selection;
};

function Line({ row, onReel, columns, stop, query, nowMs, commands, selection, ...on }: LineProps) {
  if (row === undefined) return null;
  if (row.is === "day") {
    return (
      <div {...headingProps} className="clip-day cluster">
        <h2 className="day">{row.says}</h2>
        {onReel && <DayReelButton clips={row.clips} onOpen={onReel} />}
      </div>
    );
  }
  if (row.is === "markers") {
    return (
      <div {...cellProps}>
        <MarkerList markers={row.clips} query={query} commands={commands} />
      </div>
    );
  }
  return (
    <div
      className="clip-grid"
      role="presentation"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {row.clips.map((clip) => (
        <ClipCard
          key={clip.id}
          clip={clip}
          commands={commands}
          address={clipsAddress(clip.id, query)}
          nowMs={nowMs}
          tabStop={clip.id === stop}
          selected={selection.ids.has(clip.id)}
          {...on}
        />
      ))}
    </div>
  );
}

type Props = { markers: readonly Clip[]; query: string; commands: ClipCommands };

/** Longer lists start collapsed, because a game can leave hundreds of markers in an hour. */
const openMax = 3;
const drawnMax = 50;

/** A collapsed list of markers: moments without video. */
function MarkerList({ markers, query, commands }: Props) {
  const count = markers.length;
  const [open, setOpen] = useState(count <= openMax);
  const [drawn, setDrawn] = useState(drawnMax);
  const shown = open ? markers.slice(0, drawn) : [];
  return (
    <details className="markers" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{t("{{count}} markers", { count, defaultValue_one: "{{count}} marker" })}</strong>{" "}
        <span className="small">{t("Moments without video: nothing was being recorded.")}</span>
      </summary>
      <ul className="lines">
        {shown.map((marker) => (
          <MarkerLine key={marker.id} marker={marker} query={query} commands={commands} />
        ))}
      </ul>
      {open && drawn < count && (
        <Button size="1" variant="soft" color="gray" onClick={() => setDrawn(drawn + drawnMax)}>
          {t("Show more")}
        </Button>
      )}
    </details>
  );
}

function MarkerLine({ marker, query, commands }: { marker: Clip; query: string; commands: ClipCommands }) {
  const title = visibleLine(clipTitle(marker), 200);
  const inBin = marker.deletedAt !== null;
  const label = inBin ? t("Restore") : t("Delete");
  return (
    <li className="marker small">
      <Time at={marker.events[0]?.at ?? marker.startedAt} />
      <a href={clipsAddress(marker.id, query)}>
        <bdi className="ellipsis">{title}</bdi>
      </a>
      <bdi className="marker-game ellipsis">{gameName(marker.game)}</bdi>
      {marker.reason && <bdi className="ellipsis">{visibleLine(translateMessage(marker.reason), 200)}</bdi>}
      <IconButton
        size="1"
        variant="ghost"
        color="gray"
        aria-label={t("{{action}}: {{title}}", { action: label, title })}
        title={label}
        onClick={() => (inBin ? commands.restore([marker]) : commands.discard([marker]))}
      >
        <Icon name={inBin ? "undo" : "bin"} size={14} />
      </IconButton>
    </li>
  );
}
