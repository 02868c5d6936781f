// Who may get in, in SQL: carried over into a database that takes the present one's place, so that nobody is let in by an old copy.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

/** Statements that make it so in another database. */
export async function admissionCarried(storage: Pick<Storage, "read" | "write">): Promise<Statement[]> {
  // A session's end is written in passing: once this is committed, so is that.
  await storage.write(sql`DELETE FROM session WHERE 0`);
  const [origins, sessions] = await Promise.all([
    storage.read(sql`SELECT origin, state, first_asked_ms, expires_at_ms FROM origin`),
    storage.read(sql`SELECT cookie_hash, token_hash, opened_at_ms, used_at_ms FROM session`),
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
      INSERT INTO session (cookie_hash, token_hash, opened_at_ms, used_at_ms)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${rowsOf(sessions)})`,
  ];
}
