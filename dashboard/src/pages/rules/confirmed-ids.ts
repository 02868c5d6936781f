// Event ids that a person confirmed to be no typing mistake for a similar id. The browser remembers them.
import { useCallback, useState } from "react";

const storageKey = "kit-rules-distinct";
/** Maximum remembered ids. Beyond that, the oldest one is forgotten, and at worst Kit asks about it again. */
const rememberedMax = 1_000;

/** Parses the stored ids. Ignores anything else that is stored there. */
export function parseConfirmedIds(kept: string | null): string[] {
  try {
    const value: unknown = JSON.parse(kept ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(-rememberedMax) : [];
  } catch {
    return [];
  }
}

export const addConfirmedId = (ids: readonly string[], id: string): string[] =>
  [...ids.filter((each) => each !== id), id].slice(-rememberedMax);

export function useConfirmedIds() {
  const [ids, setIds] = useState(() => parseConfirmedIds(localStorage.getItem(storageKey)));
  // Reads the stored ids first, because another tab may have changed them.
  const write = useCallback((change: (ids: readonly string[]) => string[]) => {
    const next = change(parseConfirmedIds(localStorage.getItem(storageKey)));
    localStorage.setItem(storageKey, JSON.stringify(next));
    setIds(next);
  }, []);
  const add = useCallback((id: string) => write((now) => addConfirmedId(now, id)), [write]);
  const remove = useCallback((id: string) => write((now) => now.filter((each) => each !== id)), [write]);
  return { ids, add, remove };
}
