// The track as a drawing: ruler, lanes, folded stretches, marks. By attributes: the page's policy allows no styles but its files'.

import { useMedia } from "../../api/media-pass.tsx";
import { t } from "../../language/language.ts";
import { posterOf } from "../../ui/clips/media-urls.ts";
import { clockOf } from "../../ui/measures.ts";
import type { Item, Lane } from "../../ui/sessions/session-items.ts";
import { lengthWords } from "../../ui/sessions/session-words.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { type Mark, type Scale, ticksOf } from "./scale.ts";
import type { TrackWindow } from "./use-track-window.ts";

const rulerPx = 26;
const heightPx = 178;
/** Where each lane's middle is, and how high its marks are. */
const places: Record<Lane, { y: number; high: number }> = {
  clips: { y: 50, high: 42 },
  moments: { y: 94, high: 16 },
  errors: { y: 126, high: 16 },
  posts: { y: 158, high: 16 },
};
const posterPx = { wide: 144, high: 81 };

export type LaneMarks = { readonly lane: Lane; readonly marks: readonly Mark[] };

type Props = {
  scale: Scale;
  lanes: readonly LaneMarks[];
  view: TrackWindow;
  startMs: number;
  current: Item | undefined;
  opened: Item | undefined;
  /** What the pointer or the keyboard rests on. */
  looked: Item | undefined;
};

export function TrackDrawing({ scale, lanes, view, startMs, current, opened, looked }: Props) {
  const isSeen = ({ x, toX }: { x: number; toX: number }) => toX >= view.fromX && x <= view.toX;
  return (
    <svg className="track-drawing" width={Math.max(1, scale.width)} height={heightPx} aria-hidden="true">
      {scale.parts
        .filter((part) => part.isFolded && isSeen({ x: part.x, toX: part.x + part.width }))
        .map((part) => (
          <Folded key={part.fromMs} x={part.x} width={part.width} ms={part.toMs - part.fromMs} />
        ))}
      <Ruler scale={scale} startMs={startMs} view={view} />
      {lanes.map(({ lane }) => (
        <line key={lane} className="lane-line" x1="0" x2="100%" y1={places[lane].y} y2={places[lane].y} />
      ))}
      {current && <Here x={scale.xOf(current.atMs)} />}
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
      {looked?.clip?.poster && <Poster id={looked.clip.id} x={scale.xOf(looked.atMs)} width={scale.width} />}
    </svg>
  );
}

function Ruler({ scale, startMs, view }: { scale: Scale; startMs: number; view: TrackWindow }) {
  return (
    <g className="track-ruler">
      {ticksOf(scale, startMs, view.fromX, view.toX).map(({ x, seconds }) => (
        <g key={seconds}>
          <line x1={x} x2={x} y1={rulerPx - 6} y2={heightPx} />
          <text x={x + 4} y="14">
            {clockOf(seconds)}
          </text>
        </g>
      ))}
    </g>
  );
}

function Folded({ x, width, ms }: { x: number; width: number; ms: number }) {
  return (
    <g className="track-folded">
      <title>{t("Nothing for {{length}}", { length: lengthWords(ms) })}</title>
      <rect x={x + 3} y={rulerPx} width={width - 6} height={heightPx - rulerPx} rx="6" />
      <text x={x + width / 2} y={places.clips.y + 4}>
        {lengthWords(ms).split(" ").slice(0, 2).join(" ")}
      </text>
    </g>
  );
}

const Here = ({ x }: { x: number }) => <line className="track-here" x1={x} x2={x} y1={rulerPx} y2={heightPx} />;

/** Wider on both sides by this, so that a count has room. */
const forDigits = (count: number): number => (count > 99 ? 8 : count > 9 ? 4 : 0);

type MarkProps = { mark: Mark; lane: Lane; isCurrent: boolean; isOpen: boolean };

function MarkDrawing({ mark, lane, isCurrent, isOpen }: MarkProps) {
  const { items, x, toX } = mark;
  const [first] = items;
  if (first === undefined) return null;
  const { y, high } = places[lane];
  const count = items.reduce((sum, { entry }) => sum + (entry?.count ?? 1), 0);
  const more = lane === "clips" ? 0 : forDigits(count);
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
      {/* A little more than is seen, for fingers. */}
      <rect className="mark-reach" x={shape.x - 3} y={y - 16} width={width + 6} height="32" />
      <rect className="mark-shape" {...shape} />
      {first.clip && width >= 40 && <Film mark={shape} clip={first.clip} />}
      {count > 1 && (
        <text className="mark-count" x={lane === "clips" ? x + width - 6 : shape.x + width / 2} y={y + 4}>
          {count > 999 ? "1k+" : count}
        </text>
      )}
    </g>
  );
}

type FilmProps = { mark: { x: number; y: number; width: number; height: number }; clip: NonNullable<Item["clip"]> };

/** A clip with room: its picture and its name. */
function Film({ mark, clip }: FilmProps) {
  const { addressFor } = useMedia();
  const high = mark.height - 6;
  const wide = clip.poster ? (high * 16) / 9 : 0;
  return (
    <svg x={mark.x + 3} y={mark.y + 3} width={mark.width - 6} height={high} aria-hidden="true">
      {clip.poster && (
        <image href={addressFor(posterOf(clip))} width={wide} height={high} preserveAspectRatio="xMidYMid slice" />
      )}
      {mark.width > wide + 60 && (
        <text className="film-title" x={wide + 8} y={high / 2 + 4}>
          {visibleLine(clip.title, Math.min(80, Math.floor((mark.width - wide - 16) / 7)))}
        </text>
      )}
    </svg>
  );
}

function Poster({ id, x, width }: { id: string; x: number; width: number }) {
  const { addressFor } = useMedia();
  const left = Math.max(4, Math.min(x, width - posterPx.wide - 8));
  const top = places.clips.y + places.clips.high / 2 + 8;
  return (
    <g className="track-poster">
      <rect x={left - 3} y={top - 3} width={posterPx.wide + 6} height={posterPx.high + 6} rx="8" />
      <image
        href={addressFor(posterOf({ id }))}
        x={left}
        y={top}
        width={posterPx.wide}
        height={posterPx.high}
        preserveAspectRatio="xMidYMid slice"
      />
    </g>
  );
}
