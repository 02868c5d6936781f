// Dashboard sessions. A cookie alone would reach every port of this machine, so a session has two halves:
// the cookie, which scripts cannot read, and a token, which other ports never get.
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

export function createSessions(store: SessionStore, now: () => number): Sessions {
  const tickets = new Map<string, number>();
  const sessions = new Map<string, StoredSession>();

  const isLive = (session: StoredSession) =>
    now() - session.usedAtMs < idleMsMax && now() - session.openedAtMs < ageMsMax;
  const remove = (cookieHash: string) => {
    sessions.delete(cookieHash);
    store.remove(cookieHash);
  };
  const makeRoom = () => {
    for (const [hash, session] of sessions) if (!isLive(session)) remove(hash);
    const byUse = [...sessions.values()].sort((one, other) => one.usedAtMs - other.usedAtMs);
    for (const session of byUse.slice(0, Math.max(0, byUse.length - sessionsMax + 1))) remove(session.cookieHash);
  };

  return {
    async load() {
      for (const session of await store.all()) sessions.set(session.cookieHash, session);
    },
    createTicket() {
      const ticket = secret();
      const expiresAtMs = now() + ticketMs;
      tickets.set(hashOf(ticket), expiresAtMs);
      const [oldest] = tickets.keys();
      if (tickets.size > ticketsMax && oldest !== undefined) tickets.delete(oldest);
      return { ticket, expiresAtMs };
    },
    open(ticket) {
      const hash = hashOf(ticket);
      const expiresAtMs = tickets.get(hash);
      tickets.delete(hash);
      if (expiresAtMs === undefined || expiresAtMs < now()) return undefined;
      makeRoom();
      const [cookie, token] = [secret(), secret()];
      const session = { cookieHash: hashOf(cookie), tokenHash: hashOf(token), openedAtMs: now(), usedAtMs: now() };
      sessions.set(session.cookieHash, session);
      store.save(session);
      return { cookie, token, expiresAtMs: now() + ageMsMax };
    },
    isOpen(cookie, token) {
      const session = sessions.get(hashOf(cookie));
      if (session === undefined || !sameText(session.tokenHash, hashOf(token))) return false;
      if (!isLive(session)) {
        remove(session.cookieHash);
        return false;
      }
      if (now() - session.usedAtMs > touchEveryMs) {
        const touched = { ...session, usedAtMs: now() };
        sessions.set(touched.cookieHash, touched);
        store.save(touched);
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
