// Stores labels, icons and proposed post texts of event ids in SQL.
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export type LabelOverride = {
  readonly label: string | null;
  readonly icon: string | null;
  /** The post text that the developer of the game proposes. */
  readonly postText: string | null;
};
export type StoredLabel = LabelOverride & { readonly eventId: string; readonly addedAtMs: number };

export const saveLabel = ({ eventId, label, icon, postText, addedAtMs }: StoredLabel): Statement => sql`
  INSERT INTO event_look (event_id, label, icon, post_text, added_at_ms)
  VALUES (${eventId}, ${label}, ${icon}, ${postText}, ${addedAtMs})
  ON CONFLICT (event_id) DO UPDATE SET label = excluded.label, icon = excluded.icon, post_text = excluded.post_text`;

export const deleteLabel = (eventId: string): Statement => sql`DELETE FROM event_look WHERE event_id = ${eventId}`;

export async function loadLabels(storage: Pick<Storage, "read">): Promise<StoredLabel[]> {
  const rows = await storage.read(sql`
    SELECT event_id AS eventId, label, icon, post_text AS postText, added_at_ms AS addedAtMs
    FROM event_look ORDER BY added_at_ms, event_id`);
  return rows.map((row) => ({
    eventId: String(row.eventId),
    label: row.label as string | null,
    icon: row.icon as string | null,
    postText: row.postText as string | null,
    addedAtMs: Number(row.addedAtMs),
  }));
}
