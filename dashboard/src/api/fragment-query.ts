// The query in the fragment of an address, e.g. `?kind=social` in `#/live?kind=social`. It holds a page's filter.

export const fragmentQuery = (fragment: string): URLSearchParams =>
  new URLSearchParams(fragment.split("?", 2)[1] ?? "");
