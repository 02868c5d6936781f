// The moments in a clip, in their order; pressing one plays from there.
import type { Clip, ClipMoment } from "@kit/contract";
import { Trans, t } from "../../language/language.ts";
import { rowAddress } from "../../ui/address.ts";
import { isPlayable, momentsWord } from "../../ui/clips/clip-words.ts";
import type { Playback } from "../../ui/clips/use-playback.ts";
import { KindLabel, Time } from "../../ui/labels.tsx";
import { clockOf, spokenLengthOf } from "../../ui/measures.ts";
import { Section } from "../../ui/section.tsx";
import { visibleLine } from "../../ui/visible-text.ts";
import { OutsideText } from "./outside-text.tsx";

export function Chapters({ clip, playback }: { clip: Clip; playback: Playback }) {
  if (clip.events.length === 0) return null;
  const plays = isPlayable(clip) && clip.kind === "clip";
  return (
    <Section title={clip.events.length === 1 ? t("Moment") : momentsWord(clip.events.length)}>
      <ol className="chapters" aria-label={t("Moments, in their order")}>
        {clip.events.map((moment, index) => (
          <li key={moment.id} data-current={plays && playback.begun && index === playback.chapter}>
            <Chapter moment={moment} onPlay={plays ? () => playback.playFrom(moment.offset) : undefined} />
            <a className="chapter-receipt" href={rowAddress(moment.id)} title={t("What became of it, in Live")}>
              <Trans
                i18nKey="Receipt<more> of <moment /></more>"
                components={{
                  more: <span className="unseen" />,
                  moment: <OutsideText text={visibleLine(moment.label, 80)} />,
                }}
              />
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
        <span className="unseen">{t("Play from {{place}}:", { place: spokenLengthOf(moment.offset) })}</span>
      </span>
      <KindLabel kind={moment.kind} />
      {label}
    </button>
  );
}
