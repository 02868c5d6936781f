// The clip's length as a line with a dot a moment. For the pointer; the list beside it says the same to everybody.
import type { Clip } from "@kit/contract";
import type { MouseEvent } from "react";
import { clipsAddress } from "../frame/address.ts";
import { visibleLine } from "../live/visible-text.ts";
import { clockOf } from "./measures.ts";
import type { Playback } from "./use-playback.ts";

/** Per cent of the line, a little inside its ends so that no dot is cut. Attributes: the policy allows no styles. */
const placeOf = (offset: number, duration: number) =>
  `${(1 + 98 * Math.min(1, Math.max(0, offset / duration))).toFixed(2)}%`;

export function ChapterStrip({ clip, playback }: { clip: Clip; playback: Playback }) {
  if (clip.events.length === 0 || !(clip.duration > 0)) return null;
  const play = (event: MouseEvent, offset: number) => {
    event.preventDefault();
    playback.playFrom(offset);
  };
  return (
    <svg className="chapter-strip" width="100%" height="18" aria-hidden="true">
      <line x1="1%" x2="99%" y1="9" y2="9" />
      {clip.events.map((moment, index) => (
        <a
          key={moment.id}
          href={clipsAddress(clip.id)}
          tabIndex={-1}
          data-kind={moment.kind}
          data-current={playback.begun && index === playback.chapter}
          onClick={(event) => play(event, moment.offset)}
        >
          <title>{`${clockOf(moment.offset)} ${visibleLine(moment.label, 80)}`}</title>
          <circle cx={placeOf(moment.offset, clip.duration)} cy="9" r="5" />
        </a>
      ))}
    </svg>
  );
}
