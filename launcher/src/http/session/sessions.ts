// Sign-in sessions of the dashboard. Browsers send a cookie to every port of this computer, so a session also needs a token,
// which other ports never get. Token and pass are signatures of the cookie: every tab of a session has the same ones, and a
// restart keeps them. Lifetimes use a monotonic clock while the launcher runs, and the wall clock between runs.
// On Linux the monotonic clock stops during sleep, so sleep does not count as idle time.
import { createHmac, randomBytes } from "node:crypto";
import { isEqualInConstantTime } from "../../own-files.ts";
import { hashSecret, type SignInSessionStore } from "../admission-store.ts";

const ticketMs = 60_000;
const ticketsMax = 20;
const sessionsMax = 10;
const idleMsMax = 12 * 3_600_000;
const ageMsMax = 30 * 86_400_000;
/** Minimum time between two writes of a session in use, so that not every request writes to the disk. */
const touchEveryMs = 300_000;

export type OpenedSignInSession = {
  /** The cookie to set. Absent if the browser has the cookie of an open session, which it keeps. */
  readonly cookie?: string;
  readonly token: string;
  /** Replaces the token in the URLs of images and videos. */
  readonly pass: string;
  readonly expiresAtMs: number;
};

export type SignInSessions = {
  load(): Promise<void>;
  /** Creates a ticket that works once, for 60 seconds. */
  createTicket(): { ticket: string; expiresAtMs: number };
  /**
   * Redeems a ticket. Returns the session of `cookie` if it is open, otherwise a new one; returns undefined if the ticket is
   * used, expired or unknown.
   */
  open(ticket: string, cookie?: string): OpenedSignInSession | undefined;
  isOpen(cookie: string, token: string): boolean;
  /** Returns true if the cookie belongs to an open session, and the pass to that cookie. */
  isPass(cookie: string, pass: string): boolean;
  /** Returns true if the cookie belongs to an open session. Not a credential by itself, because other ports see the cookie. */
  hasOpenSession(cookie: string): boolean;
  close(cookie: string): void;
};

const randomSecret = () => randomBytes(32).toString("base64url");

/** Times are values of `elapsed`; times before this run are negative. */
type Session = { readonly cookieHash: string; readonly opened: number; readonly used: number };

/** `secret`: the install secret. `elapsed`: a monotonic clock in milliseconds. */
export function createSignInSessions(
  store: SignInSessionStore,
  secret: string,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): SignInSessions {
  const tickets = new Map<string, number>();
  const sessions = new Map<string, Session>();
  // `listenerProof` signs texts of strangers with the install secret. They contain a colon, so none of them gives this key.
  const key = createHmac("sha256", Buffer.from(secret, "hex")).update("sign-in-session").digest();
  const sign = (purpose: "token" | "pass", cookie: string) =>
    createHmac("sha256", key).update(`${purpose}:${cookie}`).digest("base64url");

  const since = (at: number) => elapsed() - at;
  const isLive = ({ used, opened }: Session) => since(used) < idleMsMax && since(opened) < ageMsMax;
  const clockOf = (at: number) => Math.round(now() - since(at));
  /** Converts wall-clock time to a value of `elapsed`. A time in the future counts as now. */
  const atOf = (clockMs: number) => elapsed() - Math.max(0, now() - clockMs);
  const saveAsUsed = (session: Session) => {
    const { cookieHash, opened } = session;
    const used = elapsed();
    sessions.set(cookieHash, { cookieHash, opened, used });
    store.save({ cookieHash, openedAtMs: clockOf(opened), usedAtMs: clockOf(used) });
  };
  const remove = (cookieHash: string) => {
    sessions.delete(cookieHash);
    store.remove(cookieHash);
  };
  const liveSession = (cookie: string): Session | undefined => {
    const session = sessions.get(hashSecret(cookie));
    if (session === undefined || isLive(session)) return session;
    // Also from the disk: after a restart, a clock that was set back would open it again.
    remove(session.cookieHash);
    return undefined;
  };
  const makeRoom = () => {
    for (const [hash, session] of sessions) if (!isLive(session)) remove(hash);
    const byUse = [...sessions.values()].sort((one, other) => one.used - other.used);
    for (const session of byUse.slice(0, Math.max(0, byUse.length - sessionsMax + 1))) remove(session.cookieHash);
  };
  const credentialsOf = (cookie: string, opened: number) => ({
    token: sign("token", cookie),
    pass: sign("pass", cookie),
    expiresAtMs: clockOf(opened) + ageMsMax,
  });

  return {
    async load() {
      for (const { cookieHash, openedAtMs, usedAtMs } of await store.all())
        sessions.set(cookieHash, { cookieHash, opened: atOf(openedAtMs), used: atOf(usedAtMs) });
    },
    createTicket() {
      const ticket = randomSecret();
      tickets.set(hashSecret(ticket), elapsed());
      const [oldest] = tickets.keys();
      if (tickets.size > ticketsMax && oldest !== undefined) tickets.delete(oldest);
      return { ticket, expiresAtMs: now() + ticketMs };
    },
    open(ticket, shown) {
      const hash = hashSecret(ticket);
      const made = tickets.get(hash);
      tickets.delete(hash);
      if (made === undefined || since(made) > ticketMs) return undefined;
      const known = shown === undefined ? undefined : liveSession(shown);
      if (shown !== undefined && known !== undefined) {
        saveAsUsed(known);
        return credentialsOf(shown, known.opened);
      }
      makeRoom();
      const cookie = randomSecret();
      const opened = elapsed();
      saveAsUsed({ cookieHash: hashSecret(cookie), opened, used: opened });
      return { cookie, ...credentialsOf(cookie, opened) };
    },
    isOpen(cookie, token) {
      const session = liveSession(cookie);
      if (session === undefined || !isEqualInConstantTime(token, sign("token", cookie))) return false;
      if (since(session.used) > touchEveryMs) saveAsUsed(session);
      return true;
    },
    isPass: (cookie, pass) => liveSession(cookie) !== undefined && isEqualInConstantTime(pass, sign("pass", cookie)),
    hasOpenSession: (cookie) => liveSession(cookie) !== undefined,
    close: (cookie) => remove(hashSecret(cookie)),
  };
}
