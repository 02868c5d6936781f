// The main area of the player: the video with its moments, a screenshot, or the reason why there is neither; and the
// frame over the video that shows which part a vertical copy keeps.
import "./player-stage.css";
import { type Clip, uprightPart } from "@kit/contract";
import { type KeyboardEvent, type MouseEvent, type PointerEvent, type ReactNode, useRef } from "react";
import { useMedia, useMediaFile } from "../../api/media-pass.ts";
import { clipPosterFile, clipVideoFile } from "../../api/use-clips.ts";
import { t, translateMessage } from "../../language/language.ts";
import { clipsAddress } from "../address.ts";
import { clipProgress, isMarker, isPlayable } from "../clips/clip-text.ts";
import { ErrorText } from "../error-text.tsx";
import { formatClock } from "../format.ts";
import { Icon, type IconName } from "../icon.tsx";
import { visibleLine, visibleText } from "../visible-text.ts";
import { cropPositionAt, cropPositionByKey, type PictureSize } from "./crop-position.ts";
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
  const { src, onError } = useMediaFile(clipVideoFile(clip));
  return (
    <figure className="player-stage">
      <img src={src} alt={t("Screenshot of the moment")} onError={onError} />
    </figure>
  );
}

function VideoStage({ clip, playback, startAt, over }: StageProps) {
  const { addressFor } = useMedia();
  const { src, broken, onError } = useMediaFile(clipVideoFile(clip));
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
        />
        {over}
      </div>
      <ErrorText error={broken && t("The browser cannot play this file. Download it or open it from its folder.")} />
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

/** The frame leaves this share of its height free, so that the controls of the video can be reached. */
const handleShare = 0.75;

type Props = { picture: PictureSize; position: number; onMove: (position: number) => void };

export function CropFrame({ picture, position, onMove }: Props) {
  const drawing = useRef<SVGSVGElement>(null);
  /** Where in the frame the pointer took hold of it, in pixels of the picture. */
  const grip = useRef({ x: 0, y: 0 });
  const { width, height } = picture;
  const frame = uprightPart(picture, position);
  const pointAt = ({ clientX, clientY }: PointerEvent) => {
    const toPicture = drawing.current?.getScreenCTM()?.inverse();
    return toPicture ? new DOMPoint(clientX, clientY).matrixTransform(toPicture) : { x: 0, y: 0 };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = cropPositionByKey(position, { key: event.key, shift: event.shiftKey });
    if (next === undefined) return;
    event.preventDefault();
    onMove(next);
  };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: a title would be a tooltip over the whole video; the slider in it has a label
    <svg ref={drawing} className="crop" viewBox={`0 0 ${width} ${height}`} width="100%" height="100%">
      <path
        className="crop-outside"
        d={`M0 0H${width}V${height}H0Z M${frame.x} ${frame.y}V${frame.y + frame.height}H${frame.x + frame.width}V${frame.y}Z`}
        fillRule="evenodd"
      />
      <g
        role="slider"
        tabIndex={0}
        aria-label={t("Position of the vertical frame")}
        aria-orientation={frame.height === height ? "horizontal" : "vertical"}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * position)}
        aria-valuetext={t("{{percent}} %", { percent: Math.round(100 * position) })}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const { x, y } = pointAt(event);
          grip.current = { x: x - frame.x, y: y - frame.y };
          event.currentTarget.setPointerCapture(event.pointerId);
          event.currentTarget.focus();
        }}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
          const { x, y } = pointAt(event);
          onMove(cropPositionAt(picture, frame, { x: x - grip.current.x, y: y - grip.current.y }));
        }}
      >
        <rect className="crop-edge" x={frame.x} y={frame.y} width={frame.width} height={frame.height} />
        <rect className="crop-handle" x={frame.x} y={frame.y} width={frame.width} height={frame.height * handleShare} />
      </g>
    </svg>
  );
}
