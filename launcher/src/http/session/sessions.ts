// Dashboard sessions. A cookie alone would reach every port of this machine, so a session has two halves:
// the cookie, which scripts cannot read, and a token, which other ports never get. Their time is the one that passes while
// the launcher runs, whatever the clock is set to; the clock counts from one run to the next. Where the system stops that
// time while it sleeps (Linux does), sleeping is no idling: nobody can ask a launcher that sleeps.
import { createHash, randomBytes } from "node:crypto";
import { sameText } from "../../secret.ts";
import type { SessionStore, StoredSession } from "./session-store.ts";

const ticketMs = 60_000;
const ticketsMax = 20;
const sessionsMax = 10;
const idleMsMax = 12 * 3_600_000;
const ageMsMax = 30 * 86_400_000;
/** Written down at most this often: a session in use must not write to the disk at every request. */
const touchEveryMs = 300_000;

export type OpenedSession = { readonly cookie: string; readonly token: string; readonly expiresAtMs: number };

export type Sessions = {
  load(): Promise<void>;
  /** A ticket good once, for 60 seconds. */
  createTicket(): { ticket: string; expiresAtMs: number };
  /** Trades a ticket for a session; undefined when the ticket is spent, late or unknown. */
  open(ticket: string): OpenedSession | undefined;
  isOpen(cookie: string, token: string): boolean;
  /** True for the cookie of an open session, whatever the token. Opens nothing by itself: other ports see the cookie. */
  isKnown(cookie: string): boolean;
  close(cookie: string): void;
};

const secret = () => randomBytes(32).toString("base64url");
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Times as `elapsed` counts them; those of before this run are negative. */
type Session = Pick<StoredSession, "cookieHash" | "tokenHash"> & { readonly opened: number; readonly used: number };

/** `elapsed`: milliseconds that passed; no setting of the clock changes it. */
export function createSessions(
  store: SessionStore,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): Sessions {
  const tickets = new Map<string, number>();
  const sessions = new Map<string, Session>();

  const since = (at: number) => elapsed() - at;
  const isLive = ({ used, opened }: Session) => since(used) < idleMsMax && since(opened) < ageMsMax;
  const clockOf = (at: number) => Math.round(now() - since(at));
  const save = ({ cookieHash, tokenHash, opened, used }: Session) =>
    store.save({ cookieHash, tokenHash, openedAtMs: clockOf(opened), usedAtMs: clockOf(used) });
  /** What was written by a clock that was ahead is taken for news of this moment. */
  const atOf = (clockMs: number) => elapsed() - Math.max(0, now() - clockMs);
  const remove = (cookieHash: string) => {
    sessions.delete(cookieHash);
    store.remove(cookieHash);
  };
  const makeRoom = () => {
    for (const [hash, session] of sessions) if (!isLive(session)) remove(hash);
    const byUse = [...sessions.values()].sort((one, other) => one.used - other.used);
    for (const session of byUse.slice(0, Math.max(0, byUse.length - sessionsMax + 1))) remove(session.cookieHash);
  };

  return {
    async load() {
      for (const { cookieHash, tokenHash, openedAtMs, usedAtMs } of await store.all()) {
        sessions.set(cookieHash, { cookieHash, tokenHash, opened: atOf(openedAtMs), used: atOf(usedAtMs) });
      }
    },
    createTicket() {
      const ticket = secret();
      tickets.set(hashOf(ticket), elapsed());
      const [oldest] = tickets.keys();
      if (tickets.size > ticketsMax && oldest !== undefined) tickets.delete(oldest);
      return { ticket, expiresAtMs: now() + ticketMs };
    },
    open(ticket) {
      const hash = hashOf(ticket);
      const made = tickets.get(hash);
      tickets.delete(hash);
      if (made === undefined || since(made) > ticketMs) return undefined;
      makeRoom();
      const cookie = secret();
      const token = secret();
      const session = { cookieHash: hashOf(cookie), tokenHash: hashOf(token), opened: elapsed(), used: elapsed() };
      sessions.set(session.cookieHash, session);
      save(session);
      return { cookie, token, expiresAtMs: now() + ageMsMax };
    },
    isOpen(cookie, token) {
      const session = sessions.get(hashOf(cookie));
      if (session === undefined || !sameText(session.tokenHash, hashOf(token))) return false;
      if (!isLive(session)) {
        remove(session.cookieHash);
        return false;
      }
      if (since(session.used) > touchEveryMs) {
        const touched = { ...session, used: elapsed() };
        sessions.set(touched.cookieHash, touched);
        save(touched);
      }
      return true;
    },
    isKnown(cookie) {
      const session = sessions.get(hashOf(cookie));
      return session !== undefined && isLive(session);
    },
    close: (cookie) => remove(hashOf(cookie)),
  };
}
