// SQL for the stores: the template tag sql`… ${value} …`, which keeps the SQL text and binds every value, and conversions of the values of
// rows and columns.

import type { Message, MessageOrText } from "@kit/contract";

export type SqlValue = string | number | null;
export type Statement = { readonly text: string; readonly values: readonly SqlValue[] };
export type Row = Readonly<Record<string, SqlValue>>;

/** The SQL text of each template in the code, so that it is joined only once. */
const texts = new WeakMap<TemplateStringsArray, string>();

export function sql(strings: TemplateStringsArray, ...values: SqlValue[]): Statement {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.join("?");
    texts.set(strings, text);
  }
  return { text, values };
}

export const concatSql = (...parts: readonly Statement[]): Statement => ({
  text: parts.map(({ text }) => text).join(""),
  values: parts.flatMap(({ values }) => values),
});

/** A value of a row. The conversions below return what the API returns; `OrNull` keeps null. */
type Value = Row[string] | undefined;

export const isoTime = (ms: Value): string => new Date(Number(ms)).toISOString();
export const isoTimeOrNull = (ms: Value): string | null => (ms == null ? null : isoTime(ms));
export const textOrNull = (value: Value): string | null => (value == null ? null : String(value));
export const numberOrNull = (value: Value): number | null => (value == null ? null : Number(value));

/** JSON with the English text of the message, its code and its values. */
export const toMessageColumn = (message: MessageOrText | null): string | null =>
  message === null ? null : JSON.stringify(message);

function isMessage(value: unknown): value is Message {
  const { text, code } = (value ?? {}) as Partial<Message>;
  return typeof text === "string" && typeof code === "string";
}

/** A damaged value is returned as its text, so that one row does not make its whole list fail. */
export function fromMessageColumn(value: SqlValue | undefined): MessageOrText | null {
  if (value == null) return null;
  const text = String(value);
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "string" || isMessage(message) ? message : text;
  } catch {
    return text;
  }
}
