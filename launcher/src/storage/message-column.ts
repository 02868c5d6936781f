// Converts a message to and from a database column: JSON with the English text, its code and its values.
import type { Message, MessageOrText } from "@kit/contract";
import type { SqlValue } from "./sql.ts";

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
