// Commander parsers for single arguments. Their errors say which values are valid.
import { InvalidArgumentError } from "commander";

/** Creates a parser for whole numbers from `min` to `max`. */
export const integerArgument =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration from now such as `30m`, `8h` or `7d`, or an ISO 8601 time. Returns an ISO 8601 time. */
export function parseFutureTime(text: string): string {
  const [, digits, unit = "m"] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const durationMs = Number(digits) * unitsMs[unit as keyof typeof unitsMs];
  const atMs = digits === undefined ? Date.parse(text) : Date.now() + durationMs;
  if (Number.isFinite(atMs)) return new Date(atMs).toISOString();
  throw new InvalidArgumentError("Give a duration such as 30m, 8h or 7d, or a time such as 2026-05-03T10:20:00Z.");
}
