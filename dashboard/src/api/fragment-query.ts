// The query of an address fragment, which holds a page's filter.

/** Parses the query of a fragment, e.g. `kind=social` in `#/live?kind=social`. */
export const fragmentQuery = (fragment: string): URLSearchParams =>
  new URLSearchParams(fragment.split("?", 2)[1] ?? "");
