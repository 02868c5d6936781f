// Stores lasting decisions on web origins in SQL.
import type { originStates } from "@kit/contract";
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

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
