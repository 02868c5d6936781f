// Splits the disk usage into the segments of one bar. Pure.
import type { DiskUsage } from "@kit/contract";

export type UsageCategory = keyof DiskUsage["bytes"];
export type UsageSegment = {
  readonly name: UsageCategory;
  readonly bytes: number;
  readonly from: number;
  readonly width: number;
};

const order: readonly UsageCategory[] = ["clips", "bin", "copies", "database", "backups", "aside"];
/** Minimum width of a segment, so that each can be seen. */
const percentMin = 0.8;

/** Returns the segments of the bar, with widths in percent that add up to 100. Categories without data are left out. */
export function usageSegments(bytes: DiskUsage["bytes"]): UsageSegment[] {
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

export const totalBytes = (bytes: DiskUsage["bytes"]): number => order.reduce((sum, name) => sum + bytes[name], 0);

type Held = Pick<DiskUsage["games"][number], "events" | "issues" | "posts" | "sessions" | "clips">;
const rowsOf = ({ events, issues, posts, sessions, clips }: Held) => events + issues + posts + sessions + clips;

/** Estimates the size of an export before it is compressed: for one game, its share of the rows, and its clip files. */
export function estimateExportBytes(
  { bytes, games }: Pick<DiskUsage, "bytes" | "games">,
  game: string | null | undefined,
) {
  const one = games.find((each) => each.game === game);
  if (game === undefined || one === undefined) return { without: bytes.database, files: bytes.clips + bytes.bin };
  const all = games.reduce((sum, each) => sum + rowsOf(each), 0);
  return { without: Math.round((bytes.database * rowsOf(one)) / Math.max(1, all)), files: one.clipBytes };
}
