// The template tag sql`… ${value} …`, which keeps the SQL text and binds every value.

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
