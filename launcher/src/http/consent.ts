// Records which web origins a person allowed or blocked, and which wait for a decision.

import { decideConsent, forgetOrigin, KitError, listOrigins, rejectField, type WebOrigin } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { classifyOrigin, isSharedOrigin } from "./admission/origin.ts";
import type { ConsentStore, StoredOrigin } from "./admission-store.ts";
import { type Route, route } from "./route.ts";

/**
 * Maximum waiting origins of one site. A page can invent any number of origins, but only within the sites it owns, so this
 * limit leaves room for other sites.
 */
const waitingPerSiteMax = 5;
const waitingMax = 20;

type Waiting = { readonly origin: string; readonly attempts: number };

/** Matches an IPv4 address, or an IPv6 address in brackets. */
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;

/**
 * Returns the last two labels of the host name, which usually belong to one owner; an origin without a host is its own site.
 * Games of many authors below one name, as on itch.zone, share the places of that site.
 */
function siteOf(origin: string): string {
  const [, host] = /^[a-z]+:\/\/(\[[^\]]*\]|[^:/]+)/.exec(origin) ?? [];
  if (host === undefined) return origin;
  return address.test(host) ? host : host.split(".").filter(Boolean).slice(-2).join(".");
}

/**
 * Returns the waiting origin to drop, or undefined while there is room: an origin of the site with the most places; there the one
 * with the fewest attempts, and among equals the oldest.
 */
function pickOriginToDrop(waiting: readonly Waiting[], newOrigin: string): Waiting | undefined {
  const own = siteOf(newOrigin);
  const places = waiting.map((each) => ({ each, site: siteOf(each.origin) }));
  const sameSite = places.filter(({ site }) => site === own);
  if (sameSite.length < waitingPerSiteMax && waiting.length < waitingMax) return undefined;
  // The new origin counts too, so a site that keeps asking loses its own places.
  const sizes = Map.groupBy([...places.map(({ site }) => site), own], (site) => site);
  const sizeOf = (site: string) => sizes.get(site)?.length ?? 0;
  const most = Math.max(...places.map(({ site }) => sizeOf(site)));
  const candidates =
    sameSite.length < waitingPerSiteMax ? places.filter(({ site }) => sizeOf(site) === most) : sameSite;
  return candidates.map(({ each }) => each).toSorted((one, other) => one.attempts - other.attempts)[0];
}

/** How long an undecided origin waits after its last attempt. */
const pendingMsMax = 3_600_000;
const decidedMax = 500;
const untilExitMsMax = 12 * 3_600_000;
const thirtyDaysMs = 30 * 86_400_000;

type OriginDecision = "until-exit" | "30-days" | "blocked";

export type WebOriginConsent = {
  load(): Promise<void>;
  stateOf(origin: string): "allowed" | "blocked" | "unasked";
  /** Adds the origin to the waiting list for an hour. A full list drops another origin, which is counted. */
  ask(origin: string): void;
  /** Resolves once a lasting decision is on disk. */
  decide(origin: string, decision: OriginDecision): Promise<WebOrigin>;
  /** Returns false if the origin is unknown. */
  forget(origin: string): Promise<boolean>;
  list(): { origins: WebOrigin[]; dropped: number };
};

type Known = StoredOrigin & { readonly attempts: number; readonly askedMs: number };

/** Returns true for origins that any page can have; they are allowed at most until the launcher exits. */
const isMintable = (origin: string) => origin === "null" || origin === "file://";

export function createWebOriginConsent(
  store: ConsentStore,
  now: () => number,
  onChanged: () => void,
): WebOriginConsent {
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
  /** Drops the oldest decision when there are too many. A blocked origin stays blocked. */
  const dropOldestDecision = () => {
    if (known.size <= decidedMax) return;
    const [oldest] = [...known.values()].filter(({ state }) => state !== "blocked");
    if (oldest !== undefined) known.delete(oldest.origin);
  };
  const show = ({ origin, state, firstAskedMs, expiresAtMs, attempts }: Known): WebOrigin => ({
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
      const dropping = pickOriginToDrop(waiting, origin);
      if (dropping !== undefined) {
        known.delete(dropping.origin);
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
      dropOldestDecision();
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

export function consentRoutes(consent: WebOriginConsent): readonly Route[] {
  return [
    route(listOrigins, () => consent.list()),
    route(decideConsent, ({ body }) => {
      const kind = classifyOrigin(body.origin);
      if (kind !== "web" && kind !== "opaque") {
        rejectField("/origin", message("field.expected_origin"));
      }
      return consent.decide(body.origin, body.decision);
    }),
    route(forgetOrigin, async ({ query }) => {
      if (!(await consent.forget(query.origin)))
        throw new KitError("not_found", message("origin.never_asked", { origin: query.origin }));
    }),
  ];
}
