// Where the clip is shown: the video with its moments below, a picture, or why there is nothing to see.
import type { Clip } from "@kit/contract";
import type { MouseEvent } from "react";
import { useMedia, usePicture, useVideo } from "../../api/media-pass.tsx";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { Icon, type IconName } from "../icon.tsx";
import { clockOf } from "../measures.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { isMarker, isPlayable, progressOf } from "./clip-words.ts";
import { posterOf, videoOf } from "./media-urls.ts";
import type { Playback } from "./use-playback.ts";

/** Per cent of the line, a little inside its ends so that no dot is cut. Attributes: the policy allows no styles. */
const placeOf = (offset: number, duration: number) =>
  `${(1 + 98 * Math.min(1, Math.max(0, offset / duration))).toFixed(2)}%`;

/**
 * The clip's length as a line with a dot a moment. For the pointer; the list beside it says the same to everybody.
 */
function ChapterStrip({ clip, playback }: { clip: Clip; playback: Playback }) {
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

/** What stands in place of the picture. */
function absenceOf(clip: Clip): { icon: IconName; says: string; why?: string } {
  if (isMarker(clip))
    return {
      icon: "flag",
      says: t("This marker holds no video"),
      why: translateMessage(clip.reason ?? "") || t("Nothing was recorded."),
    };
  if (clip.state === "pending") {
    const { says, step, steps } = progressOf(clip);
    const why = step > 0 ? t("Step {{step}} of {{steps}}. It is shown here when it is ready.", { step, steps }) : "";
    return { icon: "film", says, why };
  }
  if (clip.state === "failed")
    return { icon: "warning", says: t("No clip could be made"), why: translateMessage(clip.reason ?? "") };
  return { icon: "warning", says: t("The file is no longer where it was saved"), why: clip.path ?? "" };
}

type StageProps = {
  clip: Clip;
  playback: Playback;
  /** The second the picture stands at before it plays; the clip's own picture when left out. */
  startAt?: number;
};

export function Stage(props: StageProps) {
  const { clip } = props;
  if (!isPlayable(clip)) return <Absent {...absenceOf(clip)} state={clip.state} />;
  if (clip.kind === "screenshot") return <Screenshot clip={clip} />;
  return <Film {...props} />;
}

function Screenshot({ clip }: { clip: Clip }) {
  const { src, onError } = usePicture(videoOf(clip));
  return (
    <figure className="player-stage">
      <img src={src} alt={t("What was on the screen at the moment")} onError={onError} />
    </figure>
  );
}

function Film({ clip, playback, startAt }: StageProps) {
  const { addressFor } = useMedia();
  const { src, failed, onError, onLoadedMetadata } = useVideo(videoOf(clip), playback.video);
  return (
    <>
      <div className="player-stage">
        {/* biome-ignore lint/a11y/useMediaCaption: what a game plays has no captions; its moments are listed beside it */}
        <video
          ref={playback.video}
          src={src === undefined || startAt === undefined ? src : `${src}#t=${startAt.toFixed(3)}`}
          poster={clip.poster && startAt === undefined ? addressFor(posterOf(clip)) : undefined}
          controls
          playsInline
          preload="metadata"
          onTimeUpdate={playback.onTime}
          onSeeked={playback.onTime}
          onError={onError}
          onLoadedMetadata={onLoadedMetadata}
        />
      </div>
      {failed && (
        <p className="player-trouble" role="alert">
          {t("The browser cannot play this file. Download it, or open it where it lies.")}
        </p>
      )}
      <ChapterStrip clip={clip} playback={playback} />
    </>
  );
}

function Absent({ icon, says, why, state }: { icon: IconName; says: string; why?: string; state: Clip["state"] }) {
  return (
    <div className="player-stage player-absent" data-state={state} role="status">
      <Icon name={icon} size={32} />
      <p>{says}</p>
      {why && <bdi>{visibleText(why)}</bdi>}
    </div>
  );
}
