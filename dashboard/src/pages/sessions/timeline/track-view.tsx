// The timeline of a session, with zoom, keyboard and pointer control.
import { Button } from "@radix-ui/themes";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { t } from "../../../language/language.ts";
import { Icon } from "../../../ui/icon.tsx";
import { moveOfKey } from "../../../ui/player/player-keys.ts";
import type { PlayerControl } from "./item-panel.tsx";
import { itemAddress, itemLine, timelineRowIcons, timelineRowLabel } from "./item-text.ts";
import { nextItem, type TimelineItem, type TimelineTrack, timelineRows } from "./session-items.ts";
import { type RowMarks, TrackDrawing } from "./track-drawing.tsx";
import { type ChangeZoom, groupMarks, resetZoom, type TimelineScale, zoomIn, zoomOut } from "./track-scale.ts";
import { useVisibleRange } from "./use-visible-range.ts";

type Props = {
  track: TimelineTrack;
  current: TimelineItem | undefined;
  opened: TimelineItem | undefined;
  startMs: number;
  zoom: number;
  onZoom: ChangeZoom;
  onMove: (item: TimelineItem) => void;
  onShow: (item: TimelineItem) => void;
  playerControl: RefObject<PlayerControl | undefined>;
};

const keySteps = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down" } as const;

function useTrackKeys({ track: { items }, current, opened, onMove, onShow, playerControl }: Props) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = keySteps[event.key as keyof typeof keySteps];
    const ends: Record<string, TimelineItem | undefined> = { Home: items[0], End: items.at(-1) };
    const target = step === undefined ? ends[event.key] : nextItem(items, current, step);
    if (target !== undefined) onMove(target);
    else if (event.key === "Enter" && current !== undefined) {
      if (current.key === opened?.key) location.hash = itemAddress(current);
      else onShow(current);
    } else if (event.key === " ") {
      const move = moveOfKey(" ");
      if (move) playerControl.current?.(move);
    } else if (step === undefined) return;
    event.preventDefault();
  };
}

/** Returns the item at the pointer. If several items share a mark, each click selects the next of them. */
function itemAt(
  event: MouseEvent,
  drawn: readonly RowMarks[],
  current: TimelineItem | undefined,
): TimelineItem | undefined {
  const key = (event.target as Element).closest("[data-key]")?.getAttribute("data-key");
  if (key == null) return undefined;
  const items = drawn.flatMap(({ marks }) => marks).find((mark) => mark.items[0]?.key === key)?.items ?? [];
  return items[(items.findIndex((item) => item.key === current?.key) + 1) % items.length];
}

/** Computes the scale and the marks of each row. Limits the zoom that a person asks for by key. */
function useMarks({ track, current, zoom, onZoom }: Props, box: RefObject<HTMLDivElement | null>) {
  const { scale, view, onScroll } = useVisibleRange({ box, track, current, zoom });
  useEffect(() => {
    if (zoom > scale.zoomMax) onZoom(() => scale.zoomMax);
  }, [zoom, scale.zoomMax, onZoom]);
  const drawn = useMemo(
    () =>
      timelineRows.map((lane) => ({
        lane,
        marks: groupMarks(
          track.items.filter((item) => item.row === lane),
          scale,
        ),
      })),
    [track.items, scale],
  );
  return { scale, view, onScroll, drawn };
}

export function TrackView(props: Props) {
  const { track, current, opened, startMs, zoom, onZoom, onShow } = props;
  const box = useRef<HTMLDivElement>(null);
  const { scale, view, onScroll, drawn } = useMarks(props, box);
  const [hovered, setHovered] = useState<TimelineItem>();
  const [focused, setFocused] = useState(false);
  const onKeyDown = useTrackKeys(props);
  const at = current === undefined ? -1 : track.items.indexOf(current);
  const highlighted = hovered ?? (focused ? current : undefined);
  return (
    <section className="stack track" aria-label={t("Timeline")}>
      <TrackTools zoom={zoom} onZoom={onZoom} scale={scale} says={hovered ?? current} startMs={startMs} />
      <div className="track-frame">
        <RowNames />
        <div
          ref={box}
          className="track-window scroll"
          role="slider"
          tabIndex={0}
          aria-label={t("What happened, in chronological order")}
          aria-orientation="horizontal"
          aria-valuemin={Math.min(1, track.items.length)}
          aria-valuemax={track.items.length}
          aria-valuenow={at + 1}
          aria-valuetext={current ? itemLine(current, startMs) : t("Nothing selected")}
          onScroll={onScroll}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onMouseOver={(event) => setHovered(itemAt(event, drawn, undefined))}
          onMouseLeave={() => setHovered(undefined)}
          onClick={(event) => {
            const clicked = itemAt(event, drawn, current);
            if (clicked) onShow(clicked);
          }}
        >
          <TrackDrawing
            scale={scale}
            lanes={drawn}
            view={view}
            startMs={startMs}
            current={current}
            opened={opened}
            highlighted={highlighted}
          />
        </div>
      </div>
    </section>
  );
}

type ToolsProps = {
  zoom: number;
  onZoom: ChangeZoom;
  scale: TimelineScale;
  says: TimelineItem | undefined;
  startMs: number;
};

function TrackTools({ zoom, onZoom, scale: { zoomMax }, says, startMs }: ToolsProps) {
  return (
    <div className="cluster">
      <p className="track-says quiet numbers ellipsis">
        {says ? <bdi>{itemLine(says, startMs)}</bdi> : t("Select a mark by clicking it or with the arrow keys.")}
      </p>
      <div className="cluster tight">
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Zoom out")}
          disabled={zoom <= 1}
          onClick={() => onZoom(zoomOut)}
        >
          −
        </Button>
        <Button size="1" variant="soft" color="gray" disabled={zoom <= 1} onClick={() => onZoom(resetZoom)}>
          {t("Whole session")}
        </Button>
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Zoom in")}
          disabled={zoom >= zoomMax}
          onClick={() => onZoom(zoomIn)}
        >
          +
        </Button>
      </div>
    </div>
  );
}

function RowNames() {
  return (
    <ul className="lane-names small quiet" aria-hidden="true">
      {timelineRows.map((lane) => (
        <li key={lane} data-lane={lane}>
          <Icon name={timelineRowIcons[lane]} size={14} />
          <span>{timelineRowLabel(lane)}</span>
        </li>
      ))}
    </ul>
  );
}
