// Converts a message to and from a database column: JSON with the English text, its code and its values.
import type { MessageOrText } from "@kit/contract";
import type { SqlValue } from "./sql.ts";

export const toMessageColumn = (message: MessageOrText | null): string | null =>
  message === null ? null : JSON.stringify(message);

export const fromMessageColumn = (value: SqlValue | undefined): MessageOrText | null =>
  value == null ? null : JSON.parse(String(value));
