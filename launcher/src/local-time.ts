// Dates and times of day in the time zone of the computer. Without `Intl`, whose first use takes 10 ms and 8 MB.

const twoDigits = (number: number) => String(number).padStart(2, "0");

/** Returns a date such as 2026-11-27. */
export function localDate(atMs: number): string {
  const at = new Date(atMs);
  const year = String(at.getFullYear()).padStart(4, "0");
  return [year, twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join("-");
}

/** Returns a time of day such as 21:04. */
export function timeOfDay(atMs: number): string {
  const at = new Date(atMs);
  return [at.getHours(), at.getMinutes()].map(twoDigits).join(":");
}
