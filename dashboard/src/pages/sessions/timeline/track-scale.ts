// The scale of the timeline: converts times to positions, folds long gaps, groups marks that would overlap, and
// computes the visible part.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { TimelineItem, TimelineTrack, TimeRange } from "./session-items.ts";

/** Width of a folded gap, however long it lasted. */
export const foldedGapPx = 46;
/** Margin at both ends of the timeline, so that no mark is cut off. */
const endPx = 14;
const minWidthPx = 80;
/** Limits the zoom. Marks that still overlap at this scale would overlap at any useful scale. */
const maxPxPerMs = 0.04;
const markPx = 16;

type ScaleSection = TimeRange & { readonly x: number; readonly width: number; readonly isFolded: boolean };

export type TimelineScale = {
  readonly width: number;
  readonly parts: readonly ScaleSection[];
  /** Maximum zoom. At zoom 1, the whole session fits into the visible width. */
  readonly zoomMax: number;
  xOf(ms: number): number;
  msAt(x: number): number;
};

type ScaleInput = TimeRange & { readonly gaps: readonly TimeRange[]; readonly windowPx: number; readonly zoom: number };

function splitAtGaps({ fromMs, toMs, gaps }: ScaleInput): (TimeRange & { isFolded: boolean })[] {
  const parts: (TimeRange & { isFolded: boolean })[] = [];
  let reached = fromMs;
  const add = (untilMs: number, isFolded: boolean) => {
    if (untilMs > reached) parts.push({ fromMs: reached, toMs: untilMs, isFolded });
    reached = Math.max(reached, untilMs);
  };
  for (const gap of gaps) {
    add(Math.min(gap.fromMs, toMs), false);
    add(Math.min(gap.toMs, toMs), true);
  }
  add(toMs, false);
  return parts;
}

export function createTimelineScale(input: ScaleInput): TimelineScale {
  const sections = splitAtGaps(input);
  const filledMs = sections.reduce((sum, part) => sum + (part.isFolded ? 0 : part.toMs - part.fromMs), 0) || 1;
  const foldedCount = sections.filter(({ isFolded }) => isFolded).length;
  const roomPx = Math.max(minWidthPx, input.windowPx - 2 * endPx - foldedCount * foldedGapPx);
  const zoomMax = Math.max(1, (maxPxPerMs * filledMs) / roomPx);
  const pxPerMs = (roomPx * Math.min(Math.max(1, input.zoom), zoomMax)) / filledMs;
  let x = endPx;
  const parts = sections.map((part): ScaleSection => {
    const width = part.isFolded ? foldedGapPx : (part.toMs - part.fromMs) * pxPerMs;
    const placed = { ...part, x, width };
    x += width;
    return placed;
  });
  const xOf = (ms: number): number => {
    const part = parts.findLast(({ fromMs }) => fromMs <= ms) ?? parts[0];
    if (part === undefined) return endPx;
    const within = (ms - part.fromMs) / Math.max(1, part.toMs - part.fromMs);
    return part.x + part.width * Math.min(1, Math.max(0, within));
  };
  const msAt = (place: number): number => {
    const part = parts.findLast((each) => each.x <= place) ?? parts[0];
    if (part === undefined) return input.fromMs;
    const within = Math.min(1, Math.max(0, (place - part.x) / part.width));
    return part.fromMs + within * (part.toMs - part.fromMs);
  };
  return { width: x + endPx, parts, zoomMax, xOf, msAt };
}

/** A mark of one item, or of several that would overlap. */
export type TimelineMark = { readonly x: number; readonly toX: number; readonly items: readonly TimelineItem[] };

/** Groups the items of one row into marks. The items must be sorted by time. */
export function groupMarks(items: readonly TimelineItem[], { xOf }: Pick<TimelineScale, "xOf">): TimelineMark[] {
  const marks: { x: number; toX: number; items: TimelineItem[] }[] = [];
  for (const item of items) {
    const isPoint = item.row !== "clips";
    const x = xOf(item.atMs) - (isPoint ? markPx / 2 : 0);
    const toX = isPoint ? x + markPx : Math.max(x + markPx, xOf(item.toMs));
    const last = marks.at(-1);
    if (last !== undefined && x < last.toX) {
      last.items.push(item);
      last.toX = Math.max(last.toX, isPoint ? last.toX : toX);
    } else marks.push({ x, toX, items: [item] });
  }
  return marks;
}

const tickSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400] as const;
const tickPx = 84;

type RulerTick = { readonly x: number; readonly seconds: number };

/**
 * Returns the ticks of the ruler between two positions, in seconds since the session began. There are none in folded
 * gaps.
 */
export function rulerTicks({ parts, xOf }: TimelineScale, startMs: number, fromX: number, toX: number): RulerTick[] {
  const filled = parts.filter(({ isFolded, width }) => !isFolded && width > 0);
  const pxPerSecond = Math.max(0, ...filled.map(({ width, fromMs, toMs }) => (1_000 * width) / (toMs - fromMs)));
  const step = tickSeconds.find((seconds) => seconds * pxPerSecond >= tickPx) ?? 86_400;
  const ticks: RulerTick[] = [];
  for (const { x, width, fromMs, toMs } of filled) {
    const perMs = width / (toMs - fromMs);
    const firstMs = Math.max(fromMs, fromMs + (fromX - x) / perMs);
    const lastMs = Math.min(toMs, fromMs + (toX - x) / perMs);
    const first = Math.ceil((firstMs - startMs) / 1_000 / step) * step;
    for (let seconds = first; startMs + seconds * 1_000 <= lastMs; seconds += step) {
      const at = xOf(startMs + seconds * 1_000);
      const last = ticks.at(-1);
      if (last === undefined || at - last.x >= tickPx * 0.7) ticks.push({ x: at, seconds });
    }
  }
  return ticks;
}

const zoomStep = 1.6;
/** When zooming out gets below this, the zoom becomes exactly 1, so that rounding errors do not add up. */
const snapBelow = 1.05;

export type ChangeZoom = (change: (zoom: number) => number) => void;

export const zoomIn = (zoom: number): number => zoom * zoomStep;
export const zoomOut = (zoom: number): number => (zoom / zoomStep < snapBelow ? 1 : zoom / zoomStep);
export const resetZoom = (): number => 1;

/** Marks are drawn up to this far outside the visible range, so that scrolling a little shows no blank area. */
const overscanPx = 400;
/** If the selected mark is closer to an edge than this, it is scrolled to the centre. */
const edgePx = 48;

type VisibleRangeDeps = {
  box: RefObject<HTMLDivElement | null>;
  track: TimelineTrack;
  current: TimelineItem | undefined;
  zoom: number;
};
export type VisibleRange = { readonly fromX: number; readonly toX: number };

function useWidth(box: VisibleRangeDeps["box"]): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

/** Computes which part of the timeline is visible, from width, scroll position, selected item and zoom. */
export function useVisibleRange({ box, track, current, zoom }: VisibleRangeDeps) {
  const windowPx = useWidth(box);
  const [scrolled, setScrolled] = useState(0);
  const scale = useMemo(() => createTimelineScale({ ...track, windowPx, zoom }), [track, windowPx, zoom]);
  const onScroll = useCallback(() => setScrolled(box.current?.scrollLeft ?? 0), [box]);
  useZoomAnchor(box, scale, current, zoom);
  const x = current && scale.xOf(current.atMs);
  const moved = current?.key;
  useEffect(() => {
    const element = box.current;
    if (element === null || x === undefined || moved === undefined) return;
    const isSeen = x >= element.scrollLeft + edgePx && x <= element.scrollLeft + element.clientWidth - edgePx;
    if (!isSeen) element.scrollLeft = x - element.clientWidth / 2;
  }, [box, moved, x]);
  const view = { fromX: scrolled - overscanPx, toX: scrolled + windowPx + overscanPx };
  return { scale, view, onScroll };
}

/** Keeps the selected mark in place during zooming. If none is visible, keeps the centre in place. */
function useZoomAnchor(
  box: VisibleRangeDeps["box"],
  scale: TimelineScale,
  current: TimelineItem | undefined,
  zoom: number,
): void {
  const before = useRef({ scale, zoom });
  useLayoutEffect(() => {
    const element = box.current;
    const { scale: old, zoom: oldZoom } = before.current;
    before.current = { scale, zoom };
    if (element === null || oldZoom === zoom) return;
    const { scrollLeft, clientWidth } = element;
    const x = current && old.xOf(current.atMs);
    const isSeen = x !== undefined && x >= scrollLeft && x <= scrollLeft + clientWidth;
    const anchorX = isSeen ? x : scrollLeft + clientWidth / 2;
    const atMs = isSeen && current ? current.atMs : old.msAt(anchorX);
    element.scrollLeft = scale.xOf(atMs) - (anchorX - scrollLeft);
  }, [box, scale, current, zoom]);
}
