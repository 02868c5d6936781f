// Which web origins a person allowed, blocked, or has yet to decide on.
import type { Origin } from "@kit/contract";
import { isSharedOrigin } from "../admission/origin.ts";
import type { ConsentStore, StoredOrigin } from "./consent-store.ts";
import { makesRoom } from "./waiting.ts";

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
      const [firstAskedMs, askedMs] = [now(), now()];
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
