// Built-in functions about time: a wall clock of whole seconds, seen in the game's time zone setting, and a timer.
import type { Functions } from "./texts.ts";

/**
 * How date_get_* treat a moment between two milliseconds. A day is a double, so a whole second may read as 41.0000001 or
 * 40.9999999, which the official HTML5 runtime truncates to the second before. The native runner's behaviour is unknown.
 */
export type Cut = "truncate" | "round";

/** The real clocks. What GML sees of them is derived here. */
export type Clock = { readonly wallMs: () => number; readonly timerUs: () => number; readonly cut?: Cut };

export const realClock = (): Clock => {
  const startedMs = performance.now();
  return { wallMs: Date.now, timerUs: () => Math.floor((performance.now() - startedMs) * 1000) };
};

const epochDays = 25_569;
const dayMs = 86_400_000;

export type Zone = { current: number };
export const zones = { timezone_local: 0, timezone_utc: 1 };

type Part = (date: Date, isUtc: boolean) => number;
const parts: Readonly<Record<string, Part>> = {
  year: (date, isUtc) => (isUtc ? date.getUTCFullYear() : date.getFullYear()),
  month: (date, isUtc) => (isUtc ? date.getUTCMonth() : date.getMonth()) + 1,
  day: (date, isUtc) => (isUtc ? date.getUTCDate() : date.getDate()),
  hour: (date, isUtc) => (isUtc ? date.getUTCHours() : date.getHours()),
  minute: (date, isUtc) => (isUtc ? date.getUTCMinutes() : date.getMinutes()),
  second: (date, isUtc) => (isUtc ? date.getUTCSeconds() : date.getSeconds()),
};

export function timeFunctions(clock: Clock, zone: Zone): Functions {
  const whole = clock.cut === "round" ? Math.round : Math.trunc;
  const getters = Object.entries(parts).map(([name, part]) => [
    `date_get_${name}`,
    (days: number) => part(new Date(whole((days - epochDays) * dayMs)), zone.current === zones.timezone_utc),
  ]);
  return {
    ...(Object.fromEntries(getters) as Functions),
    get_timer: clock.timerUs,
    date_current_datetime: () => (Math.floor(clock.wallMs() / 1000) * 1000) / dayMs + epochDays,
    date_get_timezone: () => zone.current,
    date_set_timezone: (given: number) => {
      zone.current = given;
    },
  };
}
