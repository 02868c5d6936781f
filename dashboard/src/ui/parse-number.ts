// Parses typed numbers. Pure.

/** Accepts a decimal point or comma; undefined for anything else. */
export function parseNumber(typed: string): number | undefined {
  const value = Number(typed.trim().replace(",", "."));
  return typed.trim() === "" || !Number.isFinite(value) ? undefined : value;
}
