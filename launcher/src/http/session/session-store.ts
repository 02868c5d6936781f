// Sessions on disk, so that a restart does not sign anyone out. Hashes only.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** Times as the clock had them when it was written: how long ago they were is right, and that is all that is asked of them. */
export type StoredSession = {
  readonly cookieHash: string;
  readonly tokenHash: string;
  readonly openedAtMs: number;
  readonly usedAtMs: number;
};

export type SessionStore = {
  all(): Promise<StoredSession[]>;
  save(session: StoredSession): void;
  remove(cookieHash: string): void;
};

/** `onFailure`: a session that cannot be written down still works until the launcher exits. */
export function createSessionStore(storage: Storage, onFailure: (error: unknown) => void): SessionStore {
  return {
    async all() {
      const rows = await storage.read(sql`
        SELECT cookie_hash AS cookieHash, token_hash AS tokenHash, opened_at_ms AS openedAtMs, used_at_ms AS usedAtMs
        FROM session`);
      return rows as StoredSession[];
    },
    save({ cookieHash, tokenHash, openedAtMs, usedAtMs }) {
      storage
        .write(sql`
          INSERT INTO session (cookie_hash, token_hash, opened_at_ms, used_at_ms)
          VALUES (${cookieHash}, ${tokenHash}, ${openedAtMs}, ${usedAtMs})
          ON CONFLICT (cookie_hash) DO UPDATE SET opened_at_ms = excluded.opened_at_ms, used_at_ms = excluded.used_at_ms`)
        .catch(onFailure);
    },
    remove(cookieHash) {
      storage.write(sql`DELETE FROM session WHERE cookie_hash = ${cookieHash}`).catch(onFailure);
    },
  };
}
