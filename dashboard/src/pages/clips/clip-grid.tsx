// The gallery: lines of cards, by day where the newest come first. Only the lines near the window are drawn.
import type { Clip } from "@kit/contract";
import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { GalleryFilter } from "../../api/clip-filter.ts";
import type { LoadedClips } from "../../api/clip-pages.ts";
import { t } from "../../language/language.ts";
import { clipsAddress } from "../../ui/address.ts";
import { type CardEvents, ClipCard } from "./clip-card.tsx";
import { asCell, asGrid, asHead, asRow } from "./grid-roles.ts";
import { MarkerList } from "./marker-list.tsx";
import { cardGapPx, columnsIn, type GalleryRow, galleryRows } from "./rows.ts";
import type { ClipCommands } from "./use-clip-commands.ts";
import { useGridKeys, useSoughtFocus } from "./use-grid-keys.ts";
import type { Selection } from "./use-selection.ts";

export type GridProps = {
  clips: readonly Clip[];
  filter: GalleryFilter;
  query: string;
  nowMs: number;
  more: boolean;
  doing: ClipCommands;
  selection: Selection;
  /** What scrolls around the gallery. */
  scroller: RefObject<HTMLElement | null>;
  onLook: (looked: LoadedClips) => void;
};

/** Lines drawn above and below what is seen. */
const overscanRows = 3;
/** Title, game and badges below a card's picture, and the gap to the next line: a first guess, measured once drawn. */
const cardWordsPx = 96;
const dayPx = 46;
const markersPx = 64;

/** How wide the gallery is, and how far below the top of what scrolls it begins. */
function usePlace(grid: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const box = grid.current;
    const around = scroller.current;
    if (box === null || around === null) return;
    const look = () => {
      const top = box.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop;
      const { clientWidth: width } = box;
      setPlace((now) => (now.width === width && Math.abs(now.top - top) < 1 ? now : { width, top }));
    };
    look();
    const observer = new ResizeObserver(look);
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

type LinesOf = Pick<GridProps, "scroller"> & {
  rows: readonly GalleryRow[];
  columns: number;
  place: { width: number; top: number };
  kept: number;
};

/** The line of the card that has the focus is always drawn: the keyboard would be lost with it. */
function useLines({ scroller, rows, columns, place: { width, top }, kept }: LinesOf) {
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

/** So that the page is not drawn anew with every line that is scrolled by. */
const toldInClips = 20;

/** Which clips are on the screen, roughly; told whenever that changes. */
function useLooked(rows: readonly GalleryRow[], lines: Virtualizer<HTMLElement, Element>, onLook: GridProps["onLook"]) {
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
  const from = Math.floor((starts[first] ?? 0) / toldInClips) * toldInClips;
  const end = (starts[last] ?? 0) + (ending === undefined || ending.is === "day" ? 0 : ending.clips.length);
  const to = Math.ceil(end / toldInClips) * toldInClips;
  useEffect(() => onLook({ from, to }), [onLook, from, to]);
}

export function ClipGrid(props: GridProps) {
  const { clips, filter, query, nowMs, more, doing, selection, scroller } = props;
  const grid = useRef<HTMLDivElement>(null);
  const place = usePlace(grid, scroller);
  const columns = columnsIn(place.width);
  const day = new Date(nowMs).toDateString();
  const rows = useMemo(
    () => galleryRows({ clips, sort: filter.sort, columns, now: new Date(day) }),
    [clips, filter.sort, columns, day],
  );
  const { stop, on, sought } = useGridKeys({ rows, doing, selection });
  const kept = useMemo(
    () => rows.findIndex((row) => row.is === "cards" && row.clips.some(({ id }) => id === stop)),
    [rows, stop],
  );
  const lines = useLines({ scroller, rows, columns, place, kept });
  useLooked(rows, lines, props.onLook);
  useSoughtFocus(sought, rows, (row) => lines.scrollToIndex(row, { align: "auto" }));
  return (
    <div className="clip-days">
      <div
        ref={grid}
        className="clip-lines"
        {...asGrid(t("Clips"), more ? undefined : rows.length)}
        data-selecting={selection.clips.length > 0}
        style={{ height: lines.getTotalSize() }}
      >
        {place.width > 0 &&
          lines.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={lines.measureElement}
              className="clip-line"
              {...asRow(index)}
              data-index={index}
              data-row={rows[index]?.is}
              style={{ transform: `translateY(${start - place.top}px)` }}
            >
              <Line row={rows[index]} {...{ columns, stop, query, nowMs, doing, selection }} {...on} />
            </div>
          ))}
      </div>
    </div>
  );
}

type LineProps = CardEvents & {
  row: GalleryRow | undefined;
  columns: number;
  stop: string | undefined;
  query: string;
  nowMs: number;
  doing: ClipCommands;
  selection: Selection;
};

function Line({ row, columns, stop, query, nowMs, doing, selection, ...on }: LineProps) {
  if (row === undefined) return null;
  if (row.is === "day") {
    return (
      <div {...asHead}>
        <h2 className="day">{row.says}</h2>
      </div>
    );
  }
  if (row.is === "markers") {
    return (
      <div {...asCell}>
        <MarkerList markers={row.clips} query={query} doing={doing} />
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
          doing={doing}
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
