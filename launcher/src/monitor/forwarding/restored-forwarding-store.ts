// SQL that keeps forwarding as it is when an own backup or previous data replaces the database. An old copy must not send what a person
// switched off since, nor tell a server of the same reports again.
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

type Table = { readonly table: string; readonly columns: readonly string[] };

const target =
  "(SELECT t.seq FROM present.forward_target AS p JOIN forward_target AS t ON t.id = p.id WHERE p.seq = o.target_seq)";
/** The fingerprint in the restored data; null if that does not know it. */
const fingerprint = `(SELECT f.seq FROM present.issue_fingerprint AS p JOIN issue_fingerprint AS f USING (game, version, key)
  WHERE p.seq = o.fingerprint_seq)`;
/** Restored reports are numbered again from their number in the restored data. */
const toldNumber = `min(o.told_number, (SELECT count FROM issue_fingerprint WHERE seq = ${fingerprint}))`;

const plain = (text: string): Statement => ({ text, values: [] });

/** Copies the rows of one table, with the numbers that targets and fingerprints have in the restored data. */
function copyRows({ table, columns }: Table): Statement {
  const isCount = table === "forward_count";
  const changed: Readonly<Record<string, string>> = {
    target_seq: target,
    fingerprint_seq: isCount ? fingerprint : `coalesce(${fingerprint}, 0)`,
    told_number: toldNumber,
  };
  const own = columns.filter((name) => name !== "seq");
  const order = own.length < columns.length ? "ORDER BY o.seq" : "";
  return plain(`INSERT INTO ${table} (${own.join(", ")}) SELECT ${own.map((name) => changed[name] ?? `o.${name}`).join(", ")}
    FROM present.${table} AS o WHERE ${isCount ? `${fingerprint} IS NOT NULL` : "true"} ${order}`);
}

/**
 * Returns the statements that copy the targets, their switches, queues and counts from `present`, the current database, to the one that
 * replaces it. Targets that only the restored data has are switched off.
 */
export async function keepForwarding(storage: Pick<Storage, "read">): Promise<Statement[]> {
  const rows = await storage.read(sql`
    SELECT t.name AS name, json_group_array(c.name) AS columns FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
    WHERE t.schema = 'main' AND t.name LIKE 'forward_%' GROUP BY t.name`);
  const tables = rows.map(
    ({ name, columns }): Table => ({ table: String(name), columns: JSON.parse(String(columns)) }),
  );
  const [targets, others] = [true, false].map((is) =>
    tables.filter(({ table }) => (table === "forward_target") === is),
  );
  const lost = `(SELECT coalesce(sum(o.untold), 0) FROM present.forward_count AS o
    WHERE ${target} = forward_target.seq AND ${fingerprint} IS NULL)`;
  return [
    plain("UPDATE forward_target SET enabled = 0, installation = NULL, videos = 0, earlier_events = 0"),
    plain("DELETE FROM forward_target WHERE id IN (SELECT id FROM present.forward_target)"),
    ...(targets ?? []).map(copyRows),
    ...(others ?? []).filter(({ columns }) => columns.includes("target_seq")).map(copyRows),
    // The servers were told of what the restored data has not counted yet.
    plain(
      "UPDATE forward_target SET agreed_seq = max((SELECT seq FROM event_floor), coalesce((SELECT max(seq) FROM event), 0)), widened_seq = 0",
    ),
    plain("UPDATE issue_tally SET not_for = (SELECT json_group_array(seq) FROM forward_target)"),
    // The issues of these reports are not in the restored data.
    plain(`UPDATE forward_target SET dropped = dropped + ${lost}, dropped_untold = dropped_untold + ${lost}`),
  ];
}
