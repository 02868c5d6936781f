// Groups what has a time by the reader's own day, so that a time alone is never misread.
import { locale, t } from "../language/language.ts";

export type Day<Row> = { readonly key: string; readonly says: string; readonly rows: readonly Row[] };

const keyOf = (at: Date) => `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;

function named(at: Date, now: Date): string {
  if (keyOf(at) === keyOf(now)) return t("Today");
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (keyOf(at) === keyOf(yesterday)) return t("Yesterday");
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return at.toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long", ...year });
}

/** Rows stay in their order; a day begins where the date changes. */
export function byDay<Row>(rows: readonly Row[], now: Date, timeOf: (row: Row) => string): Day<Row>[] {
  const days: { key: string; says: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const at = new Date(timeOf(row));
    const key = keyOf(at);
    const last = days.at(-1);
    if (last?.key === key) last.rows.push(row);
    else days.push({ key, says: named(at, now), rows: [row] });
  }
  return days;
}
