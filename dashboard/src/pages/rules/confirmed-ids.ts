// Event ids that a person confirmed as different from a similar id. This browser remembers them.
import { useCallback, useState } from "react";

const storageKey = "kit-rules-distinct";
/** Maximum remembered ids. The oldest one beyond that is forgotten; at worst, its hint appears again. */
const rememberedMax = 1_000;

/** Parses the stored ids, and ignores anything else that is stored there. */
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
  // Another tab may have changed the stored ids.
  const write = useCallback((change: (ids: readonly string[]) => string[]) => {
    const next = change(parseConfirmedIds(localStorage.getItem(storageKey)));
    localStorage.setItem(storageKey, JSON.stringify(next));
    setIds(next);
  }, []);
  const add = useCallback((id: string) => write((now) => addConfirmedId(now, id)), [write]);
  const remove = useCallback((id: string) => write((now) => now.filter((each) => each !== id)), [write]);
  return { ids, add, remove };
}
