// Support: adds clips to a data folder before the launcher starts, as rows and as files of a given size.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dataDirAt } from "../../src/storage/data-dir.ts";
import { openStorageIn } from "../support/storage-folder.ts";
import { planWith, saveRow } from "./clips-folder.ts";

/** Adds clips while no launcher uses the data directory. Returns their ids. */
export async function addClips(dataDir: string, count: number, bytes: number): Promise<string[]> {
  await using folder = await openStorageIn(dataDirAt(dataDir));
  mkdirSync(join(dataDir, "clips"), { recursive: true, mode: 0o700 });
  const plans = Array.from({ length: count }, () => planWith());
  for (const plan of plans) {
    await saveRow(folder, plan, { bytes });
    writeFileSync(join(dataDir, "clips", `${plan.id}.mp4`), randomBytes(bytes));
  }
  return plans.map(({ id }) => id);
}
