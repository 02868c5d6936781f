// The ids of which a person said that they are no slip of the keyboard; this browser remembers them.
import { useCallback, useState } from "react";

const storageKey = "kit-rules-distinct";
/** The oldest answer goes: the worst is that it is asked again. */
const rememberedMax = 1_000;

/** What a browser kept, or something else wrote there. */
export function distinctIn(kept: string | null): string[] {
  try {
    const value: unknown = JSON.parse(kept ?? "[]");
    return Array.isArray(value) ? value.filter((each) => typeof each === "string").slice(-rememberedMax) : [];
  } catch {
    return [];
  }
}

export const withId = (ids: readonly string[], id: string): string[] =>
  [...ids.filter((each) => each !== id), id].slice(-rememberedMax);

export function useDistinct() {
  const [ids, setIds] = useState(() => distinctIn(localStorage.getItem(storageKey)));
  // Read anew: another tab may have answered meanwhile.
  const write = useCallback((change: (ids: readonly string[]) => string[]) => {
    const next = change(distinctIn(localStorage.getItem(storageKey)));
    localStorage.setItem(storageKey, JSON.stringify(next));
    setIds(next);
  }, []);
  const add = useCallback((id: string) => write((now) => withId(now, id)), [write]);
  const remove = useCallback((id: string) => write((now) => now.filter((each) => each !== id)), [write]);
  return { ids, add, remove };
}
