// The clip's timeline with the selected range, a handle at each end, and the playback position.
import type { Clip } from "@kit/contract";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { t } from "../../../language/language.ts";
import { formatExactClock, spokenPosition } from "../../../ui/format.ts";
import { edgePositionByKey, percentOf, type TrimEdge, type TrimRange } from "../../../ui/player/trim-range.ts";
import type { Playback } from "../../../ui/player/use-playback.ts";
import type { TrimState } from "./use-trim.ts";

type Props = { clip: Clip; playback: Playback; trim: TrimState; range: TrimRange };

export function TrimStrip({ clip, playback, trim, range }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const { duration } = trim;
  const left = percentOf(range.from, duration);
  const right = percentOf(range.to, duration);
  const secondAt = ({ clientX }: PointerEvent) => {
    const box = strip.current?.getBoundingClientRect();
    return box === undefined || box.width === 0 ? 0 : ((clientX - box.left) / box.width) * duration;
  };
  return (
    <div className="part-strip">
      <div
        ref={strip}
        className="part-line"
        // Only for the pointer: the player's keys do the same for keyboard users.
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) playback.showAt(Math.max(0, Math.min(secondAt(event), duration)));
        }}
      >
        <span className="part-chosen" style={{ left: `${left}%`, width: `${right - left}%` }} />
        {clip.events.map(({ id, kind, offset }) => (
          <span key={id} className="part-moment" data-kind={kind} style={{ left: `${percentOf(offset, duration)}%` }} />
        ))}
        <PlayHead playback={playback} duration={duration} />
        <Handle edge="from" trim={trim} range={range} secondAt={secondAt} says={t("Start of the selection")} />
        <Handle edge="to" trim={trim} range={range} secondAt={secondAt} says={t("End of the selection")} />
      </div>
    </div>
  );
}

type HandleProps = {
  edge: TrimEdge;
  trim: TrimState;
  range: TrimRange;
  secondAt: (event: PointerEvent) => number;
  says: string;
};

function Handle({ edge, trim: { duration, frameSeconds, moveTo }, range, secondAt, says }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = edgePositionByKey(range, edge, { key: event.key, shift: event.shiftKey }, frameSeconds);
    if (place === undefined) return;
    event.preventDefault();
    moveTo(edge, place);
  };
  return (
    <div
      className="part-handle"
      role="slider"
      tabIndex={0}
      data-edge={edge}
      aria-label={says}
      aria-valuemin={0}
      aria-valuemax={duration}
      aria-valuenow={range[edge]}
      aria-valuetext={t("at {{position}}", { position: spokenPosition(range[edge]) })}
      title={formatExactClock(range[edge])}
      style={{ left: `${percentOf(range[edge], duration)}%` }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(edge, secondAt(event));
      }}
    />
  );
}

/**
 * Draws the playback position. Changes the DOM directly, because rendering with React 60 times a second would be
 * expensive.
 */
function PlayHead({ playback: { video }, duration }: { playback: Playback; duration: number }) {
  const head = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const at = percentOf(video.current?.currentTime ?? 0, duration);
      if (head.current) head.current.style.left = `${at}%`;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [video, duration]);
  return <span ref={head} className="part-head" />;
}
