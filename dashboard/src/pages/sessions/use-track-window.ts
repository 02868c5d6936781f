// What of the track is in its window: its width, where it is scrolled to, and what stays in place when it is zoomed.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Item, Track } from "../../ui/sessions/session-items.ts";
import { type Scale, scaleOf } from "./scale.ts";

/** Drawn beyond both edges, so that a little scrolling finds something there. */
const beyondPx = 400;
/** A mark nearer to the edge than this is brought further in. */
const edgePx = 48;

type Needs = { box: RefObject<HTMLDivElement | null>; track: Track; current: Item | undefined; zoom: number };
export type TrackWindow = { readonly fromX: number; readonly toX: number };

function useWidth(box: Needs["box"]): number {
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

export function useTrackWindow({ box, track, current, zoom }: Needs) {
  const windowPx = useWidth(box);
  const [scrolled, setScrolled] = useState(0);
  const scale = useMemo(() => scaleOf({ ...track, windowPx, zoom }), [track, windowPx, zoom]);
  const onScroll = useCallback(() => setScrolled(box.current?.scrollLeft ?? 0), [box]);
  useKeptInPlace(box, scale, current, zoom);
  const x = current && scale.xOf(current.atMs);
  const moved = current?.key;
  useEffect(() => {
    const element = box.current;
    if (element === null || x === undefined || moved === undefined) return;
    const isSeen = x >= element.scrollLeft + edgePx && x <= element.scrollLeft + element.clientWidth - edgePx;
    if (!isSeen) element.scrollLeft = x - element.clientWidth / 2;
  }, [box, moved, x]);
  const view = { fromX: scrolled - beyondPx, toX: scrolled + windowPx + beyondPx };
  return { scale, view, onScroll };
}

/** Zoomed, the chosen mark stays where it is; without one, or with it out of sight, the middle does. */
function useKeptInPlace(box: Needs["box"], scale: Scale, current: Item | undefined, zoom: number): void {
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
