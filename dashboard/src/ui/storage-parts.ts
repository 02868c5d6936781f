// What uses the disk as parts of one bar. Pure.
import type { Usage } from "@kit/contract";

export type PartName = keyof Usage["bytes"];
export type Part = { readonly name: PartName; readonly bytes: number; readonly from: number; readonly width: number };

const order: readonly PartName[] = ["clips", "bin", "copies", "database", "backups", "aside"];
/** Less could not be seen. */
const percentMin = 0.8;

/** Widths in percent that add up to 100; each part that holds anything can be seen. Nothing where nothing is kept. */
export function partsOf(bytes: Usage["bytes"]): Part[] {
  const there = order.filter((name) => bytes[name] > 0);
  const sum = there.reduce((all, name) => all + bytes[name], 0);
  const widened = there.map((name) => Math.max(percentMin, (bytes[name] / sum) * 100));
  const whole = widened.reduce((all, width) => all + width, 0);
  let from = 0;
  return there.map((name, n) => {
    const width = ((widened[n] ?? 0) / whole) * 100;
    const part = { name, bytes: bytes[name], from, width };
    from += width;
    return part;
  });
}

export const sumOf = (bytes: Usage["bytes"]): number => order.reduce((sum, name) => sum + bytes[name], 0);

type Held = Pick<Usage["games"][number], "events" | "issues" | "posts" | "sessions" | "clips">;
const rowsOf = ({ events, issues, posts, sessions, clips }: Held) => events + issues + posts + sessions + clips;

/** About how large an export is before it is packed: of a game its share of the rows, and its clips' files. */
export function exportBytes({ bytes, games }: Pick<Usage, "bytes" | "games">, game: string | null | undefined) {
  const one = games.find((each) => each.game === game);
  if (game === undefined || one === undefined) return { without: bytes.database, files: bytes.clips + bytes.bin };
  const all = games.reduce((sum, each) => sum + rowsOf(each), 0);
  return { without: Math.round((bytes.database * rowsOf(one)) / Math.max(1, all)), files: one.clipBytes };
}
