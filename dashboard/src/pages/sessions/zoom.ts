// How close the track is looked at: 1 shows all of it. Pure.

const step = 1.6;
/** Steps there and back end where they began, whatever was lost in between by counting. */
const nearlyAll = 1.05;

export type ChangeZoom = (change: (zoom: number) => number) => void;

export const closer = (zoom: number): number => zoom * step;
export const further = (zoom: number): number => (zoom / step < nearlyAll ? 1 : zoom / step);
export const allOfIt = (): number => 1;
