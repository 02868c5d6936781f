// Numbers as people type them. Pure.

/** With a point or a comma; undefined for anything else. */
export function numberIn(typed: string): number | undefined {
  const value = Number(typed.trim().replace(",", "."));
  return typed.trim() === "" || !Number.isFinite(value) ? undefined : value;
}
