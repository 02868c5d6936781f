// The Live page's filter, kept in the address.
import { useCallback, useMemo } from "react";
import { type LiveFilter, liveAddress, parseLiveFilter } from "../../api/event-filter.ts";
import { replaceAddress, useFragment } from "../../ui/address.ts";

/** Members to change; undefined removes a filter. */
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
