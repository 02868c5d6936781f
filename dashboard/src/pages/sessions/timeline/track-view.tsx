// The timeline of a session: its drawing, and its control by keyboard, pointer and zoom.
import { Button } from "@radix-ui/themes";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useMedia } from "../../../api/media-pass.ts";
import { clipSmallPosterFile } from "../../../api/use-clips.ts";
import { t } from "../../../language/language.ts";
import { clipTitle } from "../../../ui/clips/clip-text.ts";
import { formatClock, formatDuration } from "../../../ui/format.ts";
import { Icon } from "../../../ui/icon.tsx";
import { moveOfKey } from "../../../ui/player/player-keys.ts";
import { visibleLine } from "../../../ui/visible-text.ts";
import type { PlayerControl } from "./item-list.tsx";
import { itemAddress, itemLine, timelineRowIcons, timelineRowLabel } from "./item-text.ts";
import {
  clipOfMark,
  nextItem,
  type TimelineItem,
  type TimelineRow,
  type TimelineTrack,
  timelineRows,
} from "./session-items.ts";
import {
  type ChangeZoom,
  groupMarks,
  resetZoom,
  rulerTicks,
  type TimelineMark,
  type TimelineScale,
  useVisibleRange,
  type VisibleRange,
  zoomIn,
  zoomOut,
} from "./track-scale.ts";

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

const rulerPx = 26;
const heightPx = 178;
/** For each row: its vertical centre, and the height of its marks. */
const rowLayout: Record<TimelineRow, { y: number; high: number }> = {
  clips: { y: 50, high: 42 },
  moments: { y: 94, high: 16 },
  errors: { y: 126, high: 16 },
  posts: { y: 158, high: 16 },
};
const posterPx = { wide: 144, high: 81 };

type RowMarks = { readonly lane: TimelineRow; readonly marks: readonly TimelineMark[] };

type TrackDrawingProps = {
  scale: TimelineScale;
  lanes: readonly RowMarks[];
  view: VisibleRange;
  startMs: number;
  current: TimelineItem | undefined;
  opened: TimelineItem | undefined;
  /** The item under the pointer, or with the keyboard focus. */
  highlighted: TimelineItem | undefined;
};

/**
 * Draws the timeline as SVG: ruler, rows, folded gaps and marks. Attributes set all sizes, because the content
 * security policy forbids inline styles.
 */
function TrackDrawing({ scale, lanes, view, startMs, current, opened, highlighted }: TrackDrawingProps) {
  const isSeen = ({ x, toX }: { x: number; toX: number }) => toX >= view.fromX && x <= view.toX;
  return (
    <svg className="track-drawing numbers" width={Math.max(1, scale.width)} height={heightPx} aria-hidden="true">
      {scale.parts
        .filter((part) => part.isFolded && isSeen({ x: part.x, toX: part.x + part.width }))
        .map((part) => (
          <FoldedGap key={part.fromMs} x={part.x} width={part.width} ms={part.toMs - part.fromMs} />
        ))}
      <Ruler scale={scale} startMs={startMs} view={view} />
      {lanes.map(({ lane }) => (
        <line key={lane} className="lane-line" x1="0" x2="100%" y1={rowLayout[lane].y} y2={rowLayout[lane].y} />
      ))}
      {current && <CurrentPosition x={scale.xOf(current.atMs)} />}
      {lanes.map(({ lane, marks }) => (
        <g key={lane} data-lane={lane}>
          {marks.filter(isSeen).map((mark) => (
            <MarkDrawing
              key={mark.items[0]?.key}
              mark={mark}
              lane={lane}
              isCurrent={current !== undefined && mark.items.includes(current)}
              isOpen={opened !== undefined && mark.items.includes(opened)}
            />
          ))}
        </g>
      ))}
      {highlighted?.clip?.poster && (
        <Poster id={highlighted.clip.id} x={scale.xOf(highlighted.atMs)} width={scale.width} />
      )}
    </svg>
  );
}

function Ruler({ scale, startMs, view }: { scale: TimelineScale; startMs: number; view: VisibleRange }) {
  return (
    <g className="track-ruler">
      {rulerTicks(scale, startMs, view.fromX, view.toX).map(({ x, seconds }) => (
        <g key={seconds}>
          <line x1={x} x2={x} y1={rulerPx - 6} y2={heightPx} />
          <text x={x + 4} y="14">
            {formatClock(seconds)}
          </text>
        </g>
      ))}
    </g>
  );
}

function FoldedGap({ x, width, ms }: { x: number; width: number; ms: number }) {
  return (
    <g className="track-folded">
      <title>{t("Nothing happened for {{length}}", { length: formatDuration(ms) })}</title>
      <rect x={x + 3} y={rulerPx} width={width - 6} height={heightPx - rulerPx} rx="6" />
      <text x={x + width / 2} y={rowLayout.clips.y + 4}>
        {formatDuration(ms).split(" ").slice(0, 2).join(" ")}
      </text>
    </g>
  );
}

const CurrentPosition = ({ x }: { x: number }) => (
  <line className="track-here" x1={x} x2={x} y1={rulerPx} y2={heightPx} />
);

/** How much wider a mark is on each side, so that the digits of its count fit. */
const digitsPaddingPx = (count: number): number => (count > 99 ? 8 : count > 9 ? 4 : 0);

type MarkProps = { mark: TimelineMark; lane: TimelineRow; isCurrent: boolean; isOpen: boolean };

function MarkDrawing({ mark, lane, isCurrent, isOpen }: MarkProps) {
  const { items, x, toX } = mark;
  const [first] = items;
  if (first === undefined) return null;
  const { y, high } = rowLayout[lane];
  const clip = clipOfMark(items);
  const count = items.reduce((sum, { entry }) => sum + (entry?.count ?? 1), 0);
  const more = lane === "clips" ? 0 : digitsPaddingPx(count);
  const width = toX - x + 2 * more;
  const shape = { x: x - more, y: y - high / 2, width, height: high, rx: lane === "clips" ? 7 : 8 };
  return (
    <g
      className="track-mark"
      data-key={first.key}
      data-current={isCurrent}
      data-open={isOpen}
      data-state={first.entry?.state ?? first.clip?.state}
    >
      {/* Larger than the visible mark, so that a finger can hit it. */}
      <rect className="mark-reach" x={shape.x - 3} y={y - 16} width={width + 6} height="32" />
      <rect className="mark-shape" {...shape} />
      {clip && width >= 40 && <ClipContent mark={shape} clip={clip} />}
      {count > 1 && (
        <text className="mark-count" x={lane === "clips" ? x + width - 6 : shape.x + width / 2} y={y + 4}>
          {count > 999 ? "1k+" : count}
        </text>
      )}
    </g>
  );
}

type ClipContentProps = {
  mark: { x: number; y: number; width: number; height: number };
  clip: NonNullable<TimelineItem["clip"]>;
};

/** Draws the poster and title of a clip inside its mark, if the mark is wide enough. */
function ClipContent({ mark, clip }: ClipContentProps) {
  const { addressFor } = useMedia();
  const high = mark.height - 6;
  const wide = clip.poster ? (high * 16) / 9 : 0;
  return (
    <svg x={mark.x + 3} y={mark.y + 3} width={mark.width - 6} height={high} aria-hidden="true">
      {clip.poster && (
        <image
          href={addressFor(clipSmallPosterFile(clip))}
          width={wide}
          height={high}
          preserveAspectRatio="xMidYMid slice"
        />
      )}
      {mark.width > wide + 60 && (
        <text className="film-title" x={wide + 8} y={high / 2 + 4}>
          {visibleLine(clipTitle(clip), Math.min(80, Math.floor((mark.width - wide - 16) / 7)))}
        </text>
      )}
    </svg>
  );
}

function Poster({ id, x, width }: { id: string; x: number; width: number }) {
  const { addressFor } = useMedia();
  const left = Math.max(4, Math.min(x, width - posterPx.wide - 8));
  const top = rowLayout.clips.y + rowLayout.clips.high / 2 + 8;
  return (
    <g className="track-poster">
      <rect x={left - 3} y={top - 3} width={posterPx.wide + 6} height={posterPx.high + 6} rx="8" />
      <image
        href={addressFor(clipSmallPosterFile({ id }))}
        x={left}
        y={top}
        width={posterPx.wide}
        height={posterPx.high}
        preserveAspectRatio="xMidYMid slice"
      />
    </g>
  );
}
