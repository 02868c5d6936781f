// The track of a session: its window, its zoom, and how the keyboard and the pointer move on it.
import { Button } from "@radix-ui/themes";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { t } from "../../language/language.ts";
import { moveOf } from "../../ui/clips/player-keys.ts";
import { Icon } from "../../ui/icon.tsx";
import { type Item, itemAfter, lanes, type Track } from "../../ui/sessions/session-items.ts";
import { addressOfItem } from "./item-address.ts";
import { itemLine } from "./item-words.ts";
import { laneIcons, lanesWord } from "./lane-words.ts";
import type { PlayerGo } from "./nearby-events.tsx";
import { marksOf, type Scale } from "./scale.ts";
import { type LaneMarks, TrackDrawing } from "./track-drawing.tsx";
import { useTrackWindow } from "./use-track-window.ts";
import { allOfIt, type ChangeZoom, closer, further } from "./zoom.ts";

type Props = {
  track: Track;
  current: Item | undefined;
  opened: Item | undefined;
  startMs: number;
  zoom: number;
  onZoom: ChangeZoom;
  onMove: (item: Item) => void;
  onShow: (item: Item) => void;
  go: RefObject<PlayerGo | undefined>;
};

const steps = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "up", ArrowDown: "down" } as const;

function useKeys({ track: { items }, current, opened, onMove, onShow, go }: Props) {
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key as keyof typeof steps];
    const ends: Record<string, Item | undefined> = { Home: items[0], End: items.at(-1) };
    const target = step === undefined ? ends[event.key] : itemAfter(items, current, step);
    if (target !== undefined) onMove(target);
    else if (event.key === "Enter" && current !== undefined) {
      if (current.key === opened?.key) location.hash = addressOfItem(current);
      else onShow(current);
    } else if (event.key === " ") {
      const move = moveOf(" ");
      if (move) go.current?.(move);
    } else if (step === undefined) return;
    event.preventDefault();
  };
}

/** The item a place in the drawing means; pressed once more, the next of those that lie on one another. */
function meantBy(event: MouseEvent, drawn: readonly LaneMarks[], current: Item | undefined): Item | undefined {
  const key = (event.target as Element).closest("[data-key]")?.getAttribute("data-key");
  if (key == null) return undefined;
  const items = drawn.flatMap(({ marks }) => marks).find((mark) => mark.items[0]?.key === key)?.items ?? [];
  return items[(items.findIndex((item) => item.key === current?.key) + 1) % items.length];
}

/** What is drawn, as close as is looked. The keys know no end: what they ask beyond it is taken back. */
function useDrawn({ track, current, zoom, onZoom }: Props, box: RefObject<HTMLDivElement | null>) {
  const { scale, view, onScroll } = useTrackWindow({ box, track, current, zoom });
  useEffect(() => {
    if (zoom > scale.zoomMax) onZoom(() => scale.zoomMax);
  }, [zoom, scale.zoomMax, onZoom]);
  const drawn = useMemo(
    () =>
      lanes.map((lane) => ({
        lane,
        marks: marksOf(
          track.items.filter((item) => item.lane === lane),
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
  const { scale, view, onScroll, drawn } = useDrawn(props, box);
  const [hovered, setHovered] = useState<Item>();
  const [focused, setFocused] = useState(false);
  const onKeyDown = useKeys(props);
  const at = current === undefined ? -1 : track.items.indexOf(current);
  const looked = hovered ?? (focused ? current : undefined);
  return (
    <section className="track" aria-label={t("Track")}>
      <TrackTools zoom={zoom} onZoom={onZoom} scale={scale} says={hovered ?? current} startMs={startMs} />
      <div className="track-frame">
        <LaneNames />
        <div
          ref={box}
          className="track-window"
          role="slider"
          tabIndex={0}
          aria-label={t("What happened, in the order of time")}
          aria-orientation="horizontal"
          aria-valuemin={Math.min(1, track.items.length)}
          aria-valuemax={track.items.length}
          aria-valuenow={at + 1}
          aria-valuetext={current ? itemLine(current, startMs) : t("Nothing chosen")}
          onScroll={onScroll}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onMouseOver={(event) => setHovered(meantBy(event, drawn, undefined))}
          onMouseLeave={() => setHovered(undefined)}
          onClick={(event) => {
            const meant = meantBy(event, drawn, current);
            if (meant) onShow(meant);
          }}
        >
          <TrackDrawing
            scale={scale}
            lanes={drawn}
            view={view}
            startMs={startMs}
            current={current}
            opened={opened}
            looked={looked}
          />
        </div>
      </div>
    </section>
  );
}

type ToolsProps = {
  zoom: number;
  onZoom: ChangeZoom;
  scale: Scale;
  says: Item | undefined;
  startMs: number;
};

function TrackTools({ zoom, onZoom, scale: { zoomMax }, says, startMs }: ToolsProps) {
  return (
    <div className="track-tools">
      <p className="track-says">
        {says ? <bdi>{itemLine(says, startMs)}</bdi> : t("Choose a mark, or walk along with the arrow keys.")}
      </p>
      <div className="track-zoom">
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Further away")}
          disabled={zoom <= 1}
          onClick={() => onZoom(further)}
        >
          −
        </Button>
        <Button size="1" variant="soft" color="gray" disabled={zoom <= 1} onClick={() => onZoom(allOfIt)}>
          {t("All of it")}
        </Button>
        <Button
          size="1"
          variant="soft"
          color="gray"
          aria-label={t("Closer")}
          disabled={zoom >= zoomMax}
          onClick={() => onZoom(closer)}
        >
          +
        </Button>
      </div>
    </div>
  );
}

function LaneNames() {
  return (
    <ul className="lane-names" aria-hidden="true">
      {lanes.map((lane) => (
        <li key={lane} data-lane={lane}>
          <Icon name={laneIcons[lane]} size={14} />
          <span>{lanesWord(lane)}</span>
        </li>
      ))}
    </ul>
  );
}
