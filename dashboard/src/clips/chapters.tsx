// The moments in a clip, in their order; pressing one plays from there.
import type { Clip, ClipMoment } from "@kit/contract";
import { rowAddress } from "../frame/address.ts";
import { KindLabel, Time } from "../live/labels.tsx";
import { Section } from "../live/section.tsx";
import { visibleLine } from "../live/visible-text.ts";
import { clockOf, spokenLengthOf } from "./measures.ts";
import type { Playback } from "./use-playback.ts";
import { isPlayable } from "./words.ts";

export function Chapters({ clip, playback }: { clip: Clip; playback: Playback }) {
  if (clip.events.length === 0) return null;
  const plays = isPlayable(clip) && clip.kind === "clip";
  return (
    <Section title={clip.events.length === 1 ? "Moment" : `${clip.events.length} moments`}>
      <ol className="chapters" aria-label="Moments, in their order">
        {clip.events.map((moment, index) => (
          <li key={moment.id} data-current={plays && playback.begun && index === playback.chapter}>
            <Chapter moment={moment} onPlay={plays ? () => playback.playFrom(moment.offset) : undefined} />
            <a className="chapter-receipt" href={rowAddress(moment.id)} title="What became of it, in Live">
              Receipt<span className="unseen"> of {visibleLine(moment.label, 80)}</span>
            </a>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Chapter({ moment, onPlay }: { moment: ClipMoment; onPlay: (() => void) | undefined }) {
  const says = visibleLine(moment.label, 200);
  const label = (
    <bdi className="chapter-label" title={says}>
      {says}
    </bdi>
  );
  if (onPlay === undefined) {
    return (
      <span className="chapter">
        <Time at={moment.at} />
        <KindLabel kind={moment.kind} />
        {label}
      </span>
    );
  }
  return (
    <button type="button" className="chapter" onClick={onPlay}>
      <span className="chapter-offset">
        <span aria-hidden="true">{clockOf(moment.offset)}</span>
        <span className="unseen">Play from {spokenLengthOf(moment.offset)}:</span>
      </span>
      <KindLabel kind={moment.kind} />
      {label}
    </button>
  );
}
