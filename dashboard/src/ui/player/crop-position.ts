// Where the crop frame for a vertical copy is: 0 at the left or top edge, 1 at the right or bottom edge. Pure.
import type { CropRectangle } from "@kit/contract";

export type PictureSize = { readonly width: number; readonly height: number };

const clamp = (position: number) => Math.min(1, Math.max(0, position));
const steps: ReadonlyMap<string, 1 | -1> = new Map([
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
  ["ArrowRight", 1],
  ["ArrowDown", 1],
]);

/** Returns the position to which a key moves the frame; undefined for other keys. With Shift, the steps are ten times as long. */
export function cropPositionByKey(
  position: number,
  { key, shift }: { key: string; shift: boolean },
): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return 1;
  const step = steps.get(key);
  return step === undefined ? undefined : clamp(Math.round(100 * position + step * (shift ? 10 : 1)) / 100);
}

/** Returns the position of a frame whose near edge is moved to a pixel of the picture. */
export function cropPositionAt(
  picture: PictureSize,
  { width, height }: CropRectangle,
  at: { x: number; y: number },
): number {
  const room = { x: picture.width - width, y: picture.height - height };
  if (room.x > 0) return clamp(at.x / room.x);
  return room.y > 0 ? clamp(at.y / room.y) : 0;
}
