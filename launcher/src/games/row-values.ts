// Converts nullable column values.

export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);
