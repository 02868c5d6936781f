// The filter of the Live page, which is kept in its address.
import { useCallback, useMemo } from "react";
import { type LiveFilter, liveAddress, parseLiveFilter } from "../../api/event-filter.ts";
import { replaceAddress, useFragment } from "../../ui/address.ts";

/** The members of the filter to change; undefined removes one. */
export type LiveFilterChange = { readonly [K in keyof LiveFilter]?: LiveFilter[K] | undefined };

export function useLiveFilter(): [LiveFilter, (change: LiveFilterChange) => void] {
  const fragment = useFragment();
  const filter = useMemo(() => parseLiveFilter(fragment), [fragment]);
  const change = useCallback((members: LiveFilterChange) => {
    const next = { ...parseLiveFilter(location.hash), ...members } as LiveFilter;
    replaceAddress(liveAddress(next));
  }, []);
  return [filter, change];
}
