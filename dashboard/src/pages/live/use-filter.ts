// The filter as the address holds it: changing one changes the other.
import { useCallback, useMemo } from "react";
import { filterIn, fragmentOf, type LiveFilter } from "../../api/event-filter.ts";
import { replaceAddress, useFragment } from "../../ui/address.ts";

/** Members to change; undefined takes one away. */
export type FilterChange = { readonly [K in keyof LiveFilter]?: LiveFilter[K] | undefined };

export function useFilter(): [LiveFilter, (change: FilterChange) => void] {
  const fragment = useFragment();
  const filter = useMemo(() => filterIn(fragment), [fragment]);
  const change = useCallback((members: FilterChange) => {
    const next = { ...filterIn(location.hash), ...members } as LiveFilter;
    replaceAddress(fragmentOf(next));
  }, []);
  return [filter, change];
}
