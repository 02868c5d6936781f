// Which of those that wait for a decision makes room for one that asks: a page can make up any number of origins, but only of the
// sites it has, so that sites share the list.

const ofSiteMax = 5;
const waitingMax = 20;

export type Waiting = { readonly origin: string; readonly attempts: number };

/** Numbers, or an IPv6 address in brackets. */
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/**
 * What one owner is likely to have all of: the last two labels of its host's name. An origin without a host is its own. No list of
 * public suffixes says better: where many own games below one name, as in itch.zone, they share its places.
 */
function siteOf(origin: string): string {
  const [, host] = /^[a-z]+:\/\/(\[[^\]]*\]|[^:/]+)/.exec(origin) ?? [];
  if (host === undefined) return origin;
  return address.test(host) ? host : host.split(".").filter(Boolean).slice(-2).join(".");
}

/** They come in the order in which they asked first. Of the site that has most those that asked least, the oldest of them; none while there is room. */
export function makesRoom(waiting: readonly Waiting[], asks: string): Waiting | undefined {
  const own = siteOf(asks);
  const places = waiting.map((each) => ({ each, site: siteOf(each.origin) }));
  const beside = places.filter(({ site }) => site === own);
  if (beside.length < ofSiteMax && waiting.length < waitingMax) return undefined;
  // With the one that asks: a site that asks again and again gives its own places away.
  const sizes = Map.groupBy([...places.map(({ site }) => site), own], (site) => site);
  const sizeOf = (site: string) => sizes.get(site)?.length ?? 0;
  const most = Math.max(...places.map(({ site }) => sizeOf(site)));
  const those = beside.length < ofSiteMax ? places.filter(({ site }) => sizeOf(site) === most) : beside;
  return those.map(({ each }) => each).toSorted((one, other) => one.attempts - other.attempts)[0];
}
