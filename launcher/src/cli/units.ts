// Formats bytes and durations for people, and parses sizes that people type.
import { InvalidArgumentError } from "commander";

const units = ["B", "kB", "MB", "GB", "TB"];

/** Formats bytes as e.g. `7.3 MB`, in decimal units like disk sizes. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Parses `20GB`, `1.5 GB` or a plain number of bytes. */
export function parseBytes(text: string): number {
  const [, digits, unit = "B"] = /^(\d{1,15}(?:\.\d{1,3})?) ?([kmgt]?b)?$/i.exec(text) ?? [];
  const power = units.findIndex((each) => each.toLowerCase() === unit.toLowerCase());
  if (digits === undefined || power < 0) throw new InvalidArgumentError("Give a size such as 500MB or 20GB.");
  return Math.round(Number(digits) * 1_000 ** power);
}

/** Formats seconds as e.g. `0:17` or `2:00`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
