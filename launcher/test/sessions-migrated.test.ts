// Sessions that an older launcher kept: their moments and posts are counted once, when the database is brought up to date.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "../src/storage/sql.ts";
import { openStorage } from "../src/storage/storage.ts";
import { makeDataDir, migrations, removeDataDir } from "./storage-folder.ts";

test("sessions of an older launcher have their moments and posts counted, of theirs and of no others", async (t) => {
  const dir = makeDataDir();
  const before = mkdtempSync(join(tmpdir(), "kit-migrations-"));
  t.after(() => {
    removeDataDir(dir);
    rmSync(before, { recursive: true });
  });
  for (const name of readdirSync(migrations).filter((each) => each < "0014"))
    cpSync(join(migrations, name), join(before, name));
  const old = await openStorage(dir, before, () => undefined);
  const kinds = ["recording", "social", "recording", "monitor", "recording", "recording"];
  const events = kinds.map(
    (kind, index) => sql`
      INSERT INTO event (seq, id, kind, payload, acts_on_ms, received_at_ms, status, checksum)
      VALUES (${index + 1}, ${`e${index}`}, ${kind}, '{}', 0, 0, 'accepted', '')`,
  );
  const session = (seq: number) => sql`INSERT INTO game_session (seq, id, started_ms) VALUES (${seq}, ${`s${seq}`}, 0)`;
  const part = (first: number, last: number, of: number) => sql`
    INSERT INTO game_session_part (first_seq, last_seq, session_seq) VALUES (${first}, ${last}, ${of})`;
  await old.write(...events, session(1), session(2), session(3), part(1, 2, 1), part(3, 4, 2), part(5, 5, 1));
  await old.close();
  const storage = await openStorage(dir, migrations, () => undefined);
  const rows = await storage.read(sql`SELECT moments, posts FROM game_session ORDER BY seq`);
  await storage.close();
  assert.deepEqual(
    rows.map(({ moments, posts }) => [moments, posts]),
    [
      [2, 1],
      [1, 0],
      [0, 0],
    ],
  );
});
