// Stores sign-in sessions in SQL, as hashes only, so that a restart signs nobody out.
import { createHash } from "node:crypto";
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** Times are wall-clock times, computed at the last write. Only how long ago they are is used. */
export type StoredSignInSession = {
  readonly cookieHash: string;
  readonly tokenHash: string;
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
        SELECT cookie_hash AS cookieHash, token_hash AS tokenHash, opened_at_ms AS openedAtMs, used_at_ms AS usedAtMs
        FROM session`);
      return rows as StoredSignInSession[];
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
