// SQL that keeps the decisions of the current database when an own backup or previous data replaces it. An old copy sends nothing,
// and brings back nothing that was switched off, refused or sent since.
import { uncertainPosts, uncertainTriggers } from "../storage/salvage/uncertain-posts.ts";
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";

const plain = (text: string): Statement => ({ text, values: [] });

/** What is off in the current database is off in the restored one. */
const switches: readonly Statement[] = [
  plain("INSERT OR REPLACE INTO service SELECT * FROM present.service WHERE NOT enabled"),
  ...["recording", "monitor", "social"].map((kind) =>
    plain(`UPDATE game SET ${kind} = 0 WHERE game IN (SELECT game FROM present.game WHERE NOT ${kind})`),
  ),
  plain(
    "UPDATE rule SET enabled = 0 WHERE (kind, event_id) IN (SELECT kind, event_id FROM present.rule WHERE NOT enabled)",
  ),
  plain("UPDATE account SET enabled = 0 WHERE id NOT IN (SELECT id FROM present.account WHERE enabled)"),
  // A rule posts without asking only if it does so now, for the same events and to the same accounts.
  plain(`UPDATE post_rule SET approval = 'ask' WHERE (id, pattern, accounts) NOT IN (
    SELECT id, pattern, accounts FROM present.post_rule WHERE approval = 'automatic' AND enabled)`),
  plain("UPDATE post_rule SET enabled = 0 WHERE id IN (SELECT id FROM present.post_rule WHERE NOT enabled)"),
  // The microphone, the source and the limits of posts stay as chosen now. Only a choice that was wiped since returns.
  ...["recorder_setting", "post_setting"].map((table) =>
    plain(`INSERT OR REPLACE INTO ${table} SELECT * FROM present.${table}`),
  ),
];

/** What became of each post that both know is what the current database says. What the others waited for is uncertain. */
const posts = (deliveryColumns: readonly string[]): readonly Statement[] => {
  const copied = deliveryColumns.filter((name) => name !== "seq" && name !== "post_seq");
  return [
    plain("DELETE FROM delivery WHERE post_seq IN (SELECT seq FROM post WHERE id IN (SELECT id FROM present.post))"),
    plain(`INSERT INTO delivery (post_seq, ${copied.join(", ")}) SELECT post.seq, ${copied.map((name) => `o.${name}`).join(", ")}
      FROM present.delivery AS o JOIN present.post AS p ON p.seq = o.post_seq JOIN main.post AS post ON post.id = p.id ORDER BY o.seq`),
    plain(`UPDATE post SET (state, held) = (SELECT state, held FROM present.post AS p WHERE p.id = post.id)
      WHERE id IN (SELECT id FROM present.post)`),
    ...uncertainPosts(),
    plain("UPDATE post SET automatic = 0, sends_ms = NULL"),
  ];
};

/** Returns the statements. In them, `present` is the current database. */
export async function keepDecisions(storage: Pick<Storage, "read">, nowMs: number): Promise<Statement[]> {
  const columns = await storage.read(sql`SELECT name FROM pragma_table_info('delivery')`);
  return [...switches, ...posts(columns.map(({ name }) => String(name))), ...uncertainTriggers(nowMs)];
}
