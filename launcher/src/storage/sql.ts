// SQL written as SQL: sql`… ${value} …` keeps the text and binds every value.

export type SqlValue = string | number | null;
export type Statement = { readonly text: string; readonly values: readonly SqlValue[] };
export type Row = Readonly<Record<string, SqlValue>>;

const texts = new WeakMap<TemplateStringsArray, string>();

/** A statement whose values are bound, never pasted into the text. */
export function sql(strings: TemplateStringsArray, ...values: SqlValue[]): Statement {
  let text = texts.get(strings);
  if (text === undefined) {
    text = strings.join("?");
    texts.set(strings, text);
  }
  return { text, values };
}

/** A statement put together of parts, each with its own values. */
export const concatSql = (...parts: readonly Statement[]): Statement => ({
  text: parts.map(({ text }) => text).join(""),
  values: parts.flatMap(({ values }) => values),
});
