// Splits the gallery into rows, so that only those in view need to be drawn. Pure.
import type { Clip, ClipSort } from "@kit/contract";
import { isMarker } from "../../../ui/clips/clip-text.ts";
import { groupByDay } from "../../../ui/format.ts";

export type GalleryRow =
  | { readonly is: "day"; readonly key: string; readonly says: string; readonly clips: readonly Clip[] }
  | { readonly is: "cards"; readonly key: string; readonly clips: readonly Clip[] }
  | { readonly is: "markers"; readonly key: string; readonly clips: readonly Clip[] };

const minCardPx = 250;
export const cardGapPx = 18;

/** Returns how many cards fit side by side. */
export const columnCount = (widthPx: number): number =>
  Math.max(1, Math.floor((widthPx + cardGapPx) / (minCardPx + cardGapPx)));

/** Returns the rows of one group of clips: its cards, then its markers. */
function rowsOf(key: string, clips: readonly Clip[], columns: number): GalleryRow[] {
  const cards = clips.filter((clip) => !isMarker(clip));
  const markers = clips.filter(isMarker);
  const rows: GalleryRow[] = [];
  for (let at = 0; at < cards.length; at += columns) {
    rows.push({ is: "cards", key: `${key} ${at / columns}`, clips: cards.slice(at, at + columns) });
  }
  if (markers.length > 0) rows.push({ is: "markers", key: `${key} markers`, clips: markers });
  return rows;
}

type Shown = { clips: readonly Clip[]; sort: ClipSort; columns: number; now: Date };

/**
 * Splits clips into rows, under headings by day when sorted by newest. In other orders, nearly every card would need a
 * new heading.
 */
export function galleryRows({ clips, sort, columns, now }: Shown): GalleryRow[] {
  if (sort !== "newest") return rowsOf("all", clips, columns);
  return groupByDay(clips, now, ({ startedAt }) => startedAt).flatMap(({ key, says, rows }) => [
    { is: "day" as const, key: `${key} day`, says, clips: rows },
    ...rowsOf(key, rows, columns),
  ]);
}

/** Returns all cards in reading order. */
export const cardsIn = (rows: readonly GalleryRow[]): Clip[] =>
  rows.flatMap((row) => (row.is === "cards" ? row.clips : []));

const cardRowsOf = (rows: readonly GalleryRow[]) => rows.flatMap((row) => (row.is === "cards" ? [row.clips] : []));

/** Returns the card that a key moves to; undefined for other keys, and at an edge of the gallery. */
export function nextCard(rows: readonly GalleryRow[], from: string, key: string): Clip | undefined {
  const lines = cardRowsOf(rows);
  const line = lines.findIndex((clips) => clips.some(({ id }) => id === from));
  const column = lines[line]?.findIndex(({ id }) => id === from) ?? -1;
  if (line === -1) return undefined;
  const beside = (by: 1 | -1) => {
    const cards = lines.flat();
    return cards[cards.findIndex(({ id }) => id === from) + by];
  };
  const inLine = (at: number) => lines[at]?.[Math.min(column, (lines[at]?.length ?? 1) - 1)];
  switch (key) {
    case "ArrowRight":
      return beside(1);
    case "ArrowLeft":
      return beside(-1);
    case "ArrowDown":
      return inLine(line + 1);
    case "ArrowUp":
      return inLine(line - 1);
    case "Home":
      return lines[0]?.[0];
    case "End":
      return lines.at(-1)?.at(-1);
    default:
      return undefined;
  }
}

export const isMoveKey = (key: string): boolean => /^(?:Arrow(?:Right|Left|Down|Up)|Home|End)$/u.test(key);
