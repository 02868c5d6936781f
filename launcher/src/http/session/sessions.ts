// Sign-in sessions of the dashboard. Browsers send a cookie to every port of this computer, so a session also needs a token,
// which other ports never get. Lifetimes use a monotonic clock while the launcher runs, and the wall clock between runs.
// On Linux the monotonic clock stops during sleep, so sleep does not count as idle time.
import { randomBytes } from "node:crypto";
import { isEqualInConstantTime } from "../../own-files.ts";
import { hashSecret, type SignInSessionStore, type StoredSignInSession } from "../admission-store.ts";

const ticketMs = 60_000;
const ticketsMax = 20;
const sessionsMax = 10;
const idleMsMax = 12 * 3_600_000;
const ageMsMax = 30 * 86_400_000;
/** Minimum time between two writes of a session in use, so that not every request writes to the disk. */
const touchEveryMs = 300_000;

export type OpenedSignInSession = { readonly cookie: string; readonly token: string; readonly expiresAtMs: number };

export type SignInSessions = {
  load(): Promise<void>;
  /** Creates a ticket that works once, for 60 seconds. */
  createTicket(): { ticket: string; expiresAtMs: number };
  /** Opens a session with a ticket; returns undefined if the ticket is used, expired or unknown. */
  open(ticket: string): OpenedSignInSession | undefined;
  isOpen(cookie: string, token: string): boolean;
  /** Returns true if the cookie belongs to an open session. Not a credential by itself, because other ports see the cookie. */
  hasOpenSession(cookie: string): boolean;
  close(cookie: string): void;
};

const secret = () => randomBytes(32).toString("base64url");

/** Times are values of `elapsed`; times before this run are negative. */
type Session = Pick<StoredSignInSession, "cookieHash" | "tokenHash"> & {
  readonly opened: number;
  readonly used: number;
};

/** `elapsed`: a monotonic clock in milliseconds. */
export function createSignInSessions(
  store: SignInSessionStore,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): SignInSessions {
  const tickets = new Map<string, number>();
  const sessions = new Map<string, Session>();

  const since = (at: number) => elapsed() - at;
  const isLive = ({ used, opened }: Session) => since(used) < idleMsMax && since(opened) < ageMsMax;
  const clockOf = (at: number) => Math.round(now() - since(at));
  const save = ({ cookieHash, tokenHash, opened, used }: Session) =>
    store.save({ cookieHash, tokenHash, openedAtMs: clockOf(opened), usedAtMs: clockOf(used) });
  /** Converts wall-clock time to a value of `elapsed`. A time in the future counts as now. */
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
      tickets.set(hashSecret(ticket), elapsed());
      const [oldest] = tickets.keys();
      if (tickets.size > ticketsMax && oldest !== undefined) tickets.delete(oldest);
      return { ticket, expiresAtMs: now() + ticketMs };
    },
    open(ticket) {
      const hash = hashSecret(ticket);
      const made = tickets.get(hash);
      tickets.delete(hash);
      if (made === undefined || since(made) > ticketMs) return undefined;
      makeRoom();
      const cookie = secret();
      const token = secret();
      const session = {
        cookieHash: hashSecret(cookie),
        tokenHash: hashSecret(token),
        opened: elapsed(),
        used: elapsed(),
      };
      sessions.set(session.cookieHash, session);
      save(session);
      return { cookie, token, expiresAtMs: now() + ageMsMax };
    },
    isOpen(cookie, token) {
      const session = sessions.get(hashSecret(cookie));
      if (session === undefined || !isEqualInConstantTime(session.tokenHash, hashSecret(token))) return false;
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
    hasOpenSession(cookie) {
      const session = sessions.get(hashSecret(cookie));
      return session !== undefined && isLive(session);
    },
    close: (cookie) => remove(hashSecret(cookie)),
  };
}
