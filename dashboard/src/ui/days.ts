// Groups the rows of a list by local day.
import { locale, t } from "../language/language.ts";

export type Day<Row> = { readonly key: string; readonly says: string; readonly rows: readonly Row[] };

const dayKey = (at: Date) => `${at.getFullYear()}-${at.getMonth()}-${at.getDate()}`;

function dayLabel(at: Date, now: Date): string {
  if (dayKey(at) === dayKey(now)) return t("Today");
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (dayKey(at) === dayKey(yesterday)) return t("Yesterday");
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  return at.toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long", ...year });
}

/** Starts a new group wherever the date changes. Keeps the order of the rows. */
export function groupByDay<Row>(rows: readonly Row[], now: Date, timeOf: (row: Row) => string): Day<Row>[] {
  const days: { key: string; says: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const at = new Date(timeOf(row));
    const key = dayKey(at);
    const last = days.at(-1);
    if (last?.key === key) last.rows.push(row);
    else days.push({ key, says: dayLabel(at, now), rows: [row] });
  }
  return days;
}
