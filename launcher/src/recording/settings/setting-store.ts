// Stores each changed recorder setting as JSON under its name.
import type { RecorderSettings } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

export const saveRecorderSetting = (
  name: keyof RecorderSettings,
  value: RecorderSettings[typeof name],
): Statement => sql`
  INSERT INTO recorder_setting (name, value) VALUES (${name}, ${JSON.stringify(value)})
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Returns all stored settings, even those that this version does not know. */
export async function loadRecorderSettings(storage: Pick<Storage, "read">): Promise<Record<string, unknown>> {
  const rows = await storage.read(sql`SELECT name, value FROM recorder_setting`);
  return Object.fromEntries(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]));
}
