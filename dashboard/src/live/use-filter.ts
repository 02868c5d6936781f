// The filter as the address holds it: changing one changes the other.
import { useCallback, useMemo, useSyncExternalStore } from "react";
import { filterIn, fragmentOf, type LiveFilter } from "./filter.ts";

/** Members to change; undefined takes one away. */
export type FilterChange = { readonly [K in keyof LiveFilter]?: LiveFilter[K] | undefined };

function onAddressChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useFilter(): [LiveFilter, (change: FilterChange) => void] {
  const fragment = useSyncExternalStore(onAddressChange, () => location.hash);
  const filter = useMemo(() => filterIn(fragment), [fragment]);
  const change = useCallback((members: FilterChange) => {
    const next = { ...filterIn(location.hash), ...members } as LiveFilter;
    // Replaced, not pushed: each letter typed would be a step back otherwise.
    history.replaceState(null, "", fragmentOf(next));
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  }, []);
  return [filter, change];
}
