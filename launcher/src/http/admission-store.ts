// SQL of who may come in: lasting decisions on web origins, and sign-in sessions of the dashboard.
import { createHash } from "node:crypto";
import type { originStates } from "@kit/contract";
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

export type StoredOrigin = {
  readonly origin: string;
  readonly state: (typeof originStates)[number];
  readonly firstAskedMs: number;
  readonly expiresAtMs: number | null;
};

export type ConsentStore = {
  all(): Promise<StoredOrigin[]>;
  save(origin: StoredOrigin): Promise<void>;
  remove(origin: string): Promise<void>;
};

export function createConsentStore(storage: Storage): ConsentStore {
  return {
    async all() {
      const rows = await storage.read(sql`
        SELECT origin, state, first_asked_ms AS firstAskedMs, expires_at_ms AS expiresAtMs FROM origin`);
      return rows as StoredOrigin[];
    },
    save: ({ origin, state, firstAskedMs, expiresAtMs }) =>
      storage.write(sql`
        INSERT INTO origin (origin, state, first_asked_ms, expires_at_ms)
        VALUES (${origin}, ${state}, ${firstAskedMs}, ${expiresAtMs})
        ON CONFLICT (origin) DO UPDATE SET state = excluded.state, expires_at_ms = excluded.expires_at_ms`),
    remove: (origin) => storage.write(sql`DELETE FROM origin WHERE origin = ${origin}`),
  };
}

// Sign-in sessions are stored as hashes only, so that a restart signs nobody out.

/** Times are wall-clock times, computed at the last write. Only how long ago they are is used. */
type StoredSignInSession = {
  readonly cookieHash: string;
  readonly openedAtMs: number;
  readonly usedAtMs: number;
};

export const hashSecret = (text: string): string => createHash("sha256").update(text).digest("hex");

export type SignInSessionStore = {
  all(): Promise<StoredSignInSession[]>;
  save(session: StoredSignInSession): void;
  remove(cookieHash: string): void;
};

/** A session that cannot be stored still works until the launcher exits; `onFailure` receives the error. */
export function createSignInSessionStore(storage: Storage, onFailure: (error: unknown) => void): SignInSessionStore {
  return {
    async all() {
      const rows = await storage.read(sql`
        SELECT cookie_hash AS cookieHash, opened_at_ms AS openedAtMs, used_at_ms AS usedAtMs FROM session`);
      return rows as StoredSignInSession[];
    },
    save({ cookieHash, openedAtMs, usedAtMs }) {
      storage
        .write(sql`
          INSERT INTO session (cookie_hash, opened_at_ms, used_at_ms)
          VALUES (${cookieHash}, ${openedAtMs}, ${usedAtMs})
          ON CONFLICT (cookie_hash) DO UPDATE SET opened_at_ms = excluded.opened_at_ms, used_at_ms = excluded.used_at_ms`)
        .catch(onFailure);
    },
    remove(cookieHash) {
      storage.write(sql`DELETE FROM session WHERE cookie_hash = ${cookieHash}`).catch(onFailure);
    },
  };
}

/**
 * Returns the statements that apply the current decisions and sessions to the database that replaces this one. An old copy must
 * not let anyone in.
 */
export async function copyAdmission(storage: Pick<Storage, "read" | "write">): Promise<Statement[]> {
  // Nobody waits for the deletion of a session. Once this empty write is committed, so are all deletions before it.
  await storage.write(sql`DELETE FROM session WHERE 0`);
  const [origins, sessions] = await Promise.all([
    storage.read(sql`SELECT origin, state, first_asked_ms, expires_at_ms FROM origin`),
    storage.read(sql`SELECT cookie_hash, opened_at_ms, used_at_ms FROM session`),
  ]);
  const rowsOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    JSON.stringify(rows.map((row) => Object.values(row)));
  return [
    sql`DELETE FROM origin`,
    sql`
      INSERT INTO origin (origin, state, first_asked_ms, expires_at_ms)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${rowsOf(origins)})`,
    sql`DELETE FROM session`,
    sql`
      INSERT INTO session (cookie_hash, opened_at_ms, used_at_ms)
      SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${rowsOf(sessions)})`,
  ];
}
