// The main area of the player: the video with its moments, a screenshot, or the reason why there is neither.
import "./player-stage.css";
import type { Clip } from "@kit/contract";
import type { MouseEvent, ReactNode } from "react";
import { useMedia, usePicture, useVideo } from "../../api/media-pass.tsx";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { clipProgress, isMarker, isPlayable } from "../clips/clip-text.ts";
import { clipPosterFile, clipVideoFile } from "../clips/media-urls.ts";
import { ErrorText } from "../error-text.tsx";
import { formatClock } from "../format.ts";
import { Icon, type IconName } from "../icon.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { Playback } from "./use-playback.ts";

/** Returns a horizontal position in percent, far enough from both ends that no dot is cut off. */
const positionPercent = (offset: number, duration: number) =>
  `${(1 + 98 * Math.min(1, Math.max(0, offset / duration))).toFixed(2)}%`;

/**
 * The timeline of the clip, with a dot for each moment. Works only with a pointer; the list beside it works for
 * everybody.
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
          <title>{`${formatClock(moment.offset)} ${visibleLine(moment.label, 80)}`}</title>
          <circle cx={positionPercent(moment.offset, clip.duration)} cy="9" r="5" />
        </a>
      ))}
    </svg>
  );
}

/** Returns what the player shows if there is nothing to play. */
function absenceReason(clip: Clip): { icon: IconName; says: string; why?: string } {
  if (isMarker(clip))
    return {
      icon: "flag",
      says: t("This marker has no video"),
      why: translateMessage(clip.reason ?? "") || t("Nothing was recorded."),
    };
  if (clip.state === "pending") {
    const { says, step, steps } = clipProgress(clip);
    const why =
      step > 0 ? t("Step {{step}} of {{steps}}. The clip appears here when it is ready.", { step, steps }) : "";
    return { icon: "film", says, why };
  }
  if (clip.state === "failed")
    return { icon: "warning", says: t("The clip could not be created"), why: translateMessage(clip.reason ?? "") };
  return { icon: "warning", says: t("The file was moved or deleted"), why: clip.path ?? "" };
}

type StageProps = {
  clip: Clip;
  playback: Playback;
  /** The second whose frame is shown before playback; if left out, the clip's poster is shown. */
  startAt?: number;
  /** Drawn over the video. */
  over?: ReactNode;
};

export function PlayerStage(props: StageProps) {
  const { clip } = props;
  if (!isPlayable(clip)) return <Absence {...absenceReason(clip)} state={clip.state} />;
  if (clip.kind === "screenshot") return <Screenshot clip={clip} />;
  return <VideoStage {...props} />;
}

function Screenshot({ clip }: { clip: Clip }) {
  const { src, onError } = usePicture(clipVideoFile(clip));
  return (
    <figure className="player-stage">
      <img src={src} alt={t("Screenshot of the moment")} onError={onError} />
    </figure>
  );
}

function VideoStage({ clip, playback, startAt, over }: StageProps) {
  const { addressFor } = useMedia();
  const { src, failed, onError, onLoadedMetadata } = useVideo(clipVideoFile(clip), playback.video);
  return (
    <>
      <div className="player-stage">
        {/* biome-ignore lint/a11y/useMediaCaption: what a game plays has no captions; its moments are listed beside it */}
        <video
          ref={playback.video}
          src={src === undefined || startAt === undefined ? src : `${src}#t=${startAt.toFixed(3)}`}
          poster={clip.poster && startAt === undefined ? addressFor(clipPosterFile(clip)) : undefined}
          controls
          playsInline
          preload="metadata"
          onTimeUpdate={playback.onTime}
          onSeeked={playback.onTime}
          onError={onError}
          onLoadedMetadata={onLoadedMetadata}
        />
        {over}
      </div>
      <ErrorText error={failed && t("The browser cannot play this file. Download it or open it from its folder.")} />
      <ChapterStrip clip={clip} playback={playback} />
    </>
  );
}

function Absence({ icon, says, why, state }: { icon: IconName; says: string; why?: string; state: Clip["state"] }) {
  return (
    <div className="player-stage player-absent" data-state={state} role="status">
      <Icon name={icon} size={32} />
      <p>{says}</p>
      {why && <bdi>{visibleText(why)}</bdi>}
    </div>
  );
}
