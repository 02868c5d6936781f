// Which web origins a person allowed, blocked, or has yet to decide on.
import type { Origin } from "@kit/contract";
import { isSharedOrigin } from "../admission/origin.ts";
import type { ConsentStore, StoredOrigin } from "./consent-store.ts";

// Which of those that wait for a decision makes room for one that asks: a page can make up any number of origins, but only of the
// sites it has, so that sites share the list.

const ofSiteMax = 5;
const waitingMax = 20;

type Waiting = { readonly origin: string; readonly attempts: number };

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
function makesRoom(waiting: readonly Waiting[], asks: string): Waiting | undefined {
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

/** Since it asked last. */
const pendingMsMax = 3_600_000;
const decidedMax = 500;
const untilExitMsMax = 12 * 3_600_000;
const thirtyDaysMs = 30 * 86_400_000;

type OriginDecision = "until-exit" | "30-days" | "blocked";

export type Consent = {
  load(): Promise<void>;
  stateOf(origin: string): "allowed" | "blocked" | "unasked";
  /** Puts an origin on the list of those that wait, for an hour; where too many do another one leaves it, and is counted. */
  ask(origin: string): void;
  /** Resolves when a lasting decision is on disk. */
  decide(origin: string, decision: OriginDecision): Promise<Origin>;
  /** False when nothing was known of the origin. */
  forget(origin: string): Promise<boolean>;
  list(): { origins: Origin[]; dropped: number };
};

type Known = StoredOrigin & { readonly attempts: number; readonly askedMs: number };

/** Origins that any page can mint are allowed no longer than this launcher runs. */
const isMintable = (origin: string) => origin === "null" || origin === "file://";

export function createConsent(store: ConsentStore, now: () => number, onChanged: () => void): Consent {
  const known = new Map<string, Known>();
  let dropped = 0;

  const current = (origin: string): Known | undefined => {
    const entry = known.get(origin);
    if (entry === undefined) return undefined;
    const endsMs = entry.state === "pending" ? entry.askedMs + pendingMsMax : entry.expiresAtMs;
    if (endsMs === null || endsMs > now()) return entry;
    known.delete(origin);
    if (entry.state === "pending") dropped += 1;
    return undefined;
  };
  const all = (): Known[] => [...known.keys()].flatMap((origin) => current(origin) ?? []);
  /** What is blocked stays blocked, however many decisions follow. */
  const makeRoom = () => {
    if (known.size <= decidedMax) return;
    const [oldest] = [...known.values()].filter(({ state }) => state !== "blocked");
    if (oldest !== undefined) known.delete(oldest.origin);
  };
  const show = ({ origin, state, firstAskedMs, expiresAtMs, attempts }: Known): Origin => ({
    origin,
    state,
    shared: isSharedOrigin(origin),
    firstAskedAt: new Date(firstAskedMs).toISOString(),
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    attempts,
  });

  return {
    async load() {
      for (const stored of await store.all()) known.set(stored.origin, { ...stored, attempts: 0, askedMs: 0 });
    },
    stateOf(origin) {
      const state = current(origin)?.state ?? "pending";
      if (state === "pending") return "unasked";
      return state === "blocked" ? "blocked" : "allowed";
    },
    ask(origin) {
      const entry = current(origin);
      if (entry !== undefined) {
        known.set(origin, { ...entry, attempts: entry.attempts + 1, askedMs: now() });
        return;
      }
      const waiting = all().filter(({ state }) => state === "pending");
      const leaves = makesRoom(waiting, origin);
      if (leaves !== undefined) {
        known.delete(leaves.origin);
        dropped += 1;
      }
      const firstAskedMs = now();
      const askedMs = now();
      known.set(origin, { origin, state: "pending", firstAskedMs, expiresAtMs: null, attempts: 1, askedMs });
      onChanged();
    },
    async decide(origin, decision) {
      const entry = current(origin);
      const state = decision === "30-days" && isMintable(origin) ? "until-exit" : decision;
      const lifetimeMs = { "until-exit": untilExitMsMax, "30-days": thirtyDaysMs, blocked: null }[state];
      const decided: Known = {
        origin,
        state,
        firstAskedMs: entry?.firstAskedMs ?? now(),
        expiresAtMs: lifetimeMs === null ? null : now() + lifetimeMs,
        attempts: entry?.attempts ?? 0,
        askedMs: entry?.askedMs ?? 0,
      };
      await (state === "until-exit" ? store.remove(origin) : store.save(decided));
      known.set(origin, decided);
      makeRoom();
      onChanged();
      return show(decided);
    },
    async forget(origin) {
      if (!known.has(origin)) return false;
      await store.remove(origin);
      known.delete(origin);
      onChanged();
      return true;
    },
    list() {
      const origins = all().map(show);
      return { origins, dropped };
    },
  };
}
