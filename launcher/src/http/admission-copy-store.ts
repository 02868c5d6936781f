// Copies web-origin decisions and sign-in sessions to the database that replaces this one. An old copy must not let anyone in.
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

/** Returns the statements that apply the current permissions to another database. */
export async function copyAdmission(storage: Pick<Storage, "read" | "write">): Promise<Statement[]> {
  // Nobody waits for the deletion of a session. Once this empty write is committed, so are all deletions before it.
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
