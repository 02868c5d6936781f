// The clip's length as a line, its marked part with a handle at either end, and where it plays.
import type { Clip } from "@kit/contract";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { t } from "../../language/language.ts";
import { type Edge, type PartRange, percentOf, placeByKey } from "../../ui/clips/trim-range.ts";
import type { Playback } from "../../ui/clips/use-playback.ts";
import { exactClockOf, spokenPlaceOf } from "../../ui/measures.ts";
import type { Part } from "./use-trim.ts";

type Props = { clip: Clip; playback: Playback; part: Part; range: PartRange };

export function PartStrip({ clip, playback, part, range }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const { duration } = part;
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
        // For the pointer: to a keyboard the player's own keys do the same.
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) playback.showAt(Math.max(0, Math.min(secondAt(event), duration)));
        }}
      >
        <span className="part-chosen" style={{ left: `${left}%`, width: `${right - left}%` }} />
        {clip.events.map(({ id, kind, offset }) => (
          <span key={id} className="part-moment" data-kind={kind} style={{ left: `${percentOf(offset, duration)}%` }} />
        ))}
        <PlayHead playback={playback} duration={duration} />
        <Handle edge="from" part={part} range={range} secondAt={secondAt} says={t("The part begins")} />
        <Handle edge="to" part={part} range={range} secondAt={secondAt} says={t("The part ends")} />
      </div>
    </div>
  );
}

type HandleProps = {
  edge: Edge;
  part: Part;
  range: PartRange;
  secondAt: (event: PointerEvent) => number;
  says: string;
};

function Handle({ edge, part: { duration, frameSeconds, moveTo }, range, secondAt, says }: HandleProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeByKey(range, edge, { key: event.key, shift: event.shiftKey }, frameSeconds);
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
      aria-valuetext={t("at {{place}}", { place: spokenPlaceOf(range[edge]) })}
      title={exactClockOf(range[edge])}
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

/** Moves with each picture, past React: drawing the player sixty times a second would cost more than the video. */
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
