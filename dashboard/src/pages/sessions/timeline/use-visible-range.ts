// Computes which part of the timeline is visible, from width, scroll position, selected item and zoom.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { TimelineItem, TimelineTrack } from "./session-items.ts";
import { createTimelineScale, type TimelineScale } from "./track-scale.ts";

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
