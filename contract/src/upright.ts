// The part of a picture that a vertical copy keeps. The dashboard shows it, and the launcher cuts it.

type FrameSize = { readonly width: number; readonly height: number };
export type CropRectangle = FrameSize & { readonly x: number; readonly y: number };

const upright = { width: 9, height: 16 } as const;
const even = (pixels: number) => Math.max(2, 2 * Math.round(pixels / 2));

/**
 * Returns the largest part of the picture that is 9:16. `position` is 0 at the left or top edge, 1 at the right or bottom edge.
 * All numbers are even, because the chroma subsampling of most videos requires it.
 */
export function uprightPart({ width, height }: FrameSize, position: number): CropRectangle {
  const isWide = width * upright.height > height * upright.width;
  const kept = isWide
    ? { width: Math.min(width, even((height * upright.width) / upright.height)), height }
    : { width, height: Math.min(height, even((width * upright.height) / upright.width)) };
  const place = (all: number, part: number) => 2 * Math.floor(((all - part) * position) / 2);
  return { ...kept, x: place(width, kept.width), y: place(height, kept.height) };
}
