/** Parses a number that a person typed, with a decimal point or comma. Returns undefined for any other text. */
export function parseNumber(typed: string): number | undefined {
  const value = Number(typed.trim().replace(",", "."));
  return typed.trim() === "" || !Number.isFinite(value) ? undefined : value;
}
