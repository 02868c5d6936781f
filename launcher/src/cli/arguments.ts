// Reads single arguments, with a message that says what would have been taken.
import { InvalidArgumentError } from "commander";

/** A whole number from `min` to `max`. */
export const readWhole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };

const unitsMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time to come: a length from now such as `30m`, `8h` or `7d`, or a time as ISO 8601. Returns it as the wire wants it. */
export function readUntil(text: string): string {
  const [, digits, unit = "m"] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const lengthMs = Number(digits) * unitsMs[unit as keyof typeof unitsMs];
  const atMs = digits === undefined ? Date.parse(text) : Date.now() + lengthMs;
  if (Number.isFinite(atMs)) return new Date(atMs).toISOString();
  throw new InvalidArgumentError("Give a length such as 30m, 8h or 7d, or a time such as 2026-05-03T10:20:00Z.");
}
