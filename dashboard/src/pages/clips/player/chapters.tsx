// The list of the moments in a clip. A click on a moment plays the clip from there.
import type { Clip, ClipMoment } from "@kit/contract";
import { Trans, t } from "../../../language/language.ts";
import { rowAddress } from "../../../ui/address.ts";
import { isPlayable, momentCountText } from "../../../ui/clips/clip-text.ts";
import { formatClock, spokenDuration } from "../../../ui/format.ts";
import { KindLabel, Time } from "../../../ui/labels.tsx";
import type { Playback } from "../../../ui/player/use-playback.ts";
import { Section } from "../../../ui/section.tsx";
import { visibleLine } from "../../../ui/visible-text.ts";
import { UntrustedText } from "../untrusted-text.tsx";

export function ChapterList({ clip, playback }: { clip: Clip; playback: Playback }) {
  if (clip.events.length === 0) return null;
  const plays = isPlayable(clip) && clip.kind === "clip";
  return (
    <Section title={clip.events.length === 1 ? t("Moment") : momentCountText(clip.events.length)}>
      <ol className="scroll chapters" aria-label={t("Moments in order of time")}>
        {clip.events.map((moment, index) => (
          <li key={moment.id} data-current={plays && playback.begun && index === playback.chapter}>
            <Chapter moment={moment} onPlay={plays ? () => playback.playFrom(moment.offset) : undefined} />
            <a className="small" href={rowAddress(moment.id)} title={t("See the outcome in Live")}>
              <Trans
                i18nKey="Receipt<more> of <moment /></more>"
                components={{
                  more: <span className="unseen" />,
                  moment: <UntrustedText text={visibleLine(moment.label, 80)} />,
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
    <bdi className="chapter-label ellipsis" title={says}>
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
      <span className="chapter-offset numbers">
        <span aria-hidden="true">{formatClock(moment.offset)}</span>
        <span className="unseen">{t("Play from {{position}}:", { position: spokenDuration(moment.offset) })}</span>
      </span>
      <KindLabel kind={moment.kind} />
      {label}
    </button>
  );
}
