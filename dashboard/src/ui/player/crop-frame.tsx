// The frame over the video that shows which part an upright copy keeps. It is dragged, or moved with the arrow keys.
import { uprightPart } from "@kit/contract";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { t } from "../../language/language.ts";
import { cropPositionAt, cropPositionByKey, type PictureSize } from "./crop-position.ts";

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
        aria-label={t("Position of the upright frame")}
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
