// Where on the track each time is: even within what is filled, folded where nothing happened. Pure.
import type { Item, Stretch } from "../../ui/sessions/session-items.ts";

/** How wide a folded stretch is drawn, however long it was. */
export const foldedPx = 46;
/** Room at both ends, so that no mark is cut. */
const endPx = 14;
const narrowestPx = 80;
/** No closer than this: there is nothing more to tell apart. */
const closestPxPerMs = 0.04;
const markPx = 16;

type Part = Stretch & { readonly x: number; readonly width: number; readonly isFolded: boolean };

export type Scale = {
  readonly width: number;
  readonly parts: readonly Part[];
  /** 1 shows all of it in the window. */
  readonly zoomMax: number;
  xOf(ms: number): number;
  msAt(x: number): number;
};

type Asked = Stretch & { readonly gaps: readonly Stretch[]; readonly windowPx: number; readonly zoom: number };

function partsOf({ fromMs, toMs, gaps }: Asked): (Stretch & { isFolded: boolean })[] {
  const parts: (Stretch & { isFolded: boolean })[] = [];
  let reached = fromMs;
  const add = (untilMs: number, isFolded: boolean) => {
    if (untilMs > reached) parts.push({ fromMs: reached, toMs: untilMs, isFolded });
    reached = Math.max(reached, untilMs);
  };
  for (const gap of gaps) {
    add(Math.min(gap.fromMs, toMs), false);
    add(Math.min(gap.toMs, toMs), true);
  }
  add(toMs, false);
  return parts;
}

export function scaleOf(asked: Asked): Scale {
  const bare = partsOf(asked);
  const filledMs = bare.reduce((sum, part) => sum + (part.isFolded ? 0 : part.toMs - part.fromMs), 0) || 1;
  const foldedCount = bare.filter(({ isFolded }) => isFolded).length;
  const roomPx = Math.max(narrowestPx, asked.windowPx - 2 * endPx - foldedCount * foldedPx);
  const zoomMax = Math.max(1, (closestPxPerMs * filledMs) / roomPx);
  const pxPerMs = (roomPx * Math.min(Math.max(1, asked.zoom), zoomMax)) / filledMs;
  let x = endPx;
  const parts = bare.map((part): Part => {
    const width = part.isFolded ? foldedPx : (part.toMs - part.fromMs) * pxPerMs;
    const placed = { ...part, x, width };
    x += width;
    return placed;
  });
  const xOf = (ms: number): number => {
    const part = parts.findLast(({ fromMs }) => fromMs <= ms) ?? parts[0];
    if (part === undefined) return endPx;
    const within = (ms - part.fromMs) / Math.max(1, part.toMs - part.fromMs);
    return part.x + part.width * Math.min(1, Math.max(0, within));
  };
  const msAt = (place: number): number => {
    const part = parts.findLast((each) => each.x <= place) ?? parts[0];
    if (part === undefined) return asked.fromMs;
    const within = Math.min(1, Math.max(0, (place - part.x) / part.width));
    return part.fromMs + within * (part.toMs - part.fromMs);
  };
  return { width: x + endPx, parts, zoomMax, xOf, msAt };
}

/** One drawn thing: an item, or several that would lie on one another. */
export type Mark = { readonly x: number; readonly toX: number; readonly items: readonly Item[] };

/** The items of one lane, in the order of their times. */
export function marksOf(items: readonly Item[], { xOf }: Pick<Scale, "xOf">): Mark[] {
  const marks: { x: number; toX: number; items: Item[] }[] = [];
  for (const item of items) {
    const isPoint = item.lane !== "clips";
    const x = xOf(item.atMs) - (isPoint ? markPx / 2 : 0);
    const toX = isPoint ? x + markPx : Math.max(x + markPx, xOf(item.toMs));
    const last = marks.at(-1);
    if (last !== undefined && x < last.toX) {
      last.items.push(item);
      last.toX = Math.max(last.toX, isPoint ? last.toX : toX);
    } else marks.push({ x, toX, items: [item] });
  }
  return marks;
}

const tickSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400] as const;
const tickPx = 84;

export type Tick = { readonly x: number; readonly seconds: number };

/** The ruler's marks between two places, in seconds since the beginning; none in what is folded. */
export function ticksOf({ parts, xOf }: Scale, startMs: number, fromX: number, toX: number): Tick[] {
  const filled = parts.filter(({ isFolded, width }) => !isFolded && width > 0);
  const pxPerSecond = Math.max(0, ...filled.map(({ width, fromMs, toMs }) => (1_000 * width) / (toMs - fromMs)));
  const step = tickSeconds.find((seconds) => seconds * pxPerSecond >= tickPx) ?? 86_400;
  const ticks: Tick[] = [];
  for (const { x, width, fromMs, toMs } of filled) {
    const perMs = width / (toMs - fromMs);
    const firstMs = Math.max(fromMs, fromMs + (fromX - x) / perMs);
    const lastMs = Math.min(toMs, fromMs + (toX - x) / perMs);
    const first = Math.ceil((firstMs - startMs) / 1_000 / step) * step;
    for (let seconds = first; startMs + seconds * 1_000 <= lastMs; seconds += step) {
      const at = xOf(startMs + seconds * 1_000);
      const last = ticks.at(-1);
      if (last === undefined || at - last.x >= tickPx * 0.7) ticks.push({ x: at, seconds });
    }
  }
  return ticks;
}
