// Finds the post of an event in SQL.
import { sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export const createEventPostStore = (storage: Pick<Storage, "read">) => ({
  /** Returns post ids by event id. */
  async postsOf(events: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (events.length === 0) return new Map();
    const rows = await storage.read(sql`
      SELECT event, id FROM post WHERE event IN (SELECT value FROM json_each(${JSON.stringify(events)}))`);
    return new Map(rows.map(({ event, id }) => [String(event), String(id)]));
  },
});
