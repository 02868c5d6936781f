// Converts values of SQL rows to what the API returns. `OrNull` keeps null.
import type { Row } from "./sql.ts";

type Value = Row[string] | undefined;

export const isoTime = (ms: Value): string => new Date(Number(ms)).toISOString();
export const isoTimeOrNull = (ms: Value): string | null => (ms == null ? null : isoTime(ms));
export const textOrNull = (value: Value): string | null => (value == null ? null : String(value));
export const numberOrNull = (value: Value): number | null => (value == null ? null : Number(value));
