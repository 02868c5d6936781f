// Lengths, sizes and times as a person says them. Pure.

const pad = (number: number) => String(number).padStart(2, "0");

/** A length or a place in a clip as a player shows it: 0:17, 2:05, 1:02:05. */
export function clockOf(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : 0;
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** The same for who listens: 17 seconds, 2 minutes 5 seconds. */
export function spokenLengthOf(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.round(seconds)) : 0;
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  if (minutes === 0) return counted(rest, "second");
  return rest === 0 ? counted(minutes, "minute") : `${counted(minutes, "minute")} ${counted(rest, "second")}`;
}

const sizes = ["B", "kB", "MB", "GB", "TB"] as const;

/** Bytes in thousands, as disks are sold and quotas are set: 0 B, 843 kB, 12.4 MB, 20 GB. */
export function sizeOf(bytes: number): string {
  let [value, step] = [Math.max(0, bytes), 0];
  while (value >= 999.5 && step < sizes.length - 1) [value, step] = [value / 1000, step + 1];
  const shown = step >= 2 && value < 99.95 ? value.toFixed(1).replace(/\.0$/u, "") : String(Math.round(value));
  return `${shown} ${sizes[step]}`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** How long ago, as one says it; older than a day the time of day, older than a week the date. */
export function agoOf(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return at;
  const agoMs = nowMs - atMs;
  if (agoMs < minuteMs) return "just now";
  if (agoMs < hourMs) return relative.format(-Math.floor(agoMs / minuteMs), "minute");
  if (agoMs < dayMs) return relative.format(-Math.floor(agoMs / hourMs), "hour");
  return agoMs < 7 * dayMs ? timeOfDay.format(atMs) : date.format(atMs);
}
