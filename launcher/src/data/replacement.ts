// Replaces the database by a backup, by previous data, or by an empty one. Kit prepares and checks the new database while the
// launcher runs, so that only renames remain for the moment between closing and reopening.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { detailOf, KitError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { removePatientlySync } from "../renames.ts";
import { type DataDir, dataDirAt } from "../storage/data-dir.ts";
import { planDataSwap } from "../storage/data-swap.ts";
import { InvalidDatabase, UnknownSchema } from "../storage/failure.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { RunFileTask } from "../storage/threads/database-file-task.ts";
import { describeLeftOut, planDisarming } from "./foreign-store.ts";
import { keepDecisions } from "./own-store.ts";
import {
  canMoveClips,
  createPreviousDataFolder,
  type DataLocation,
  holdsAllData,
  movesFromPreviousData,
  movesToPreviousData,
  previousDataPath,
} from "./previous-data.ts";
import { deleteAllWipes } from "./wipe-store.ts";

export type ReplacementDeps = DataLocation & {
  readonly migrations: string;
  /** Returns statements that copy the current sign-in sessions and web-origin decisions. */
  readonly copyAdmission: () => Promise<readonly Statement[]>;
  /** Returns statements that keep forwarding as it is. In them, `present` is the current database. */
  readonly keepForwarding: () => Promise<readonly Statement[]>;
  readonly storage: Pick<Storage, "read">;
  readonly now: () => number;
  readonly runFileTask: RunFileTask;
};

export type DatabaseReplacement = ReturnType<typeof createReplacement>;

/** `aside`: name of the previous-data folder to which the next opening moves the current data. */
type Planned = { readonly aside: string };

export function createReplacement(needs: ReplacementDeps) {
  const { dir, migrations, now, runFileTask } = needs;
  let isPlanned = false;

  /** Prepares the database at `at`. If it is a copy that another Kit made, makes it safe; `says` is then what was left out. */
  const prepareDatabase = async (at: string, copyOf?: string): Promise<{ says?: string }> => {
    const isRestored = existsSync(copyOf ?? at);
    const decided = async () => [...(await needs.keepForwarding()), ...(await keepDecisions(needs.storage, now()))];
    const kept = isRestored && { kept: { present: dir.database, statements: await decided() } };
    const statements = [...(await needs.copyAdmission()), deleteAllWipes()];
    const copy = async () =>
      copyOf !== undefined && { copyOf, foreign: { ...(await planDisarming(needs.storage)), backups: dir.backups } };
    try {
      const rest = { ...kept, ...(await copy()) };
      const { leftOut } = await runFileTask({ type: "prepare", at, migrations, statements, ...rest });
      return leftOut === undefined ? {} : { says: describeLeftOut(leftOut) };
    } catch (error) {
      const isRefused = error instanceof UnknownSchema || error instanceof InvalidDatabase;
      if (isRefused) throw new KitError("payload_invalid", message("restore.impossible", { problem: error.message }));
      throw new KitError("storage_unavailable", message("restore.not_prepared", { problem: detailOf(error) }));
    }
  };
  /** Allows only one plan, because the next opening carries it out. */
  const planOnce = async (plan: () => Promise<Planned>): Promise<Planned> => {
    if (isPlanned) throw new KitError("payload_invalid", message("restore.restarting"));
    isPlanned = true;
    try {
      const planned = await plan();
      // Drops the unfinished work of an earlier wipe, because it concerns the database that is being replaced.
      removePatientlySync(dir.pendingWipe, { force: true });
      return planned;
    } catch (error) {
      isPlanned = false;
      throw error;
    }
  };
  const clearIncoming = (into: DataDir) => {
    const { database } = dataDirAt(into.staging);
    removePatientlySync(into.staging, { recursive: true, force: true });
    return database;
  };

  return {
    restoreBackup: (path: string) =>
      planOnce(async () => {
        const at = clearIncoming(dir);
        const said = await prepareDatabase(at, path);
        const aside = createPreviousDataFolder(needs, "restored", now(), false);
        const moves = [...movesToPreviousData(needs, aside, false), { from: at, to: dir.database }];
        planDataSwap(dir, { moves, aside: join(dir.previousData, aside), emptied: [dir.staging], ...said });
        return { aside };
      }),
    restorePreviousData: (name: string) =>
      planOnce(async () => {
        const path = previousDataPath(needs, name);
        const database = join(path, "kit.db");
        if (!existsSync(database)) throw new KitError("payload_invalid", message("restore.no_database", { name }));
        const all = holdsAllData(path);
        await prepareDatabase(database);
        const aside = createPreviousDataFolder(needs, "restored", now(), all);
        const moves = [...movesToPreviousData(needs, aside, all), ...movesFromPreviousData(needs, name, all)];
        planDataSwap(dir, { moves, aside: join(dir.previousData, aside), emptied: [path] });
        return { aside };
      }),
    wipeAll: () =>
      planOnce(async () => {
        if (!canMoveClips(needs)) {
          throw new KitError("payload_invalid", message("restore.own_files"));
        }
        const at = clearIncoming(dir);
        await prepareDatabase(at);
        const aside = createPreviousDataFolder(needs, "wiped", now(), true);
        const moves = [...movesToPreviousData(needs, aside, true), { from: at, to: dir.database }];
        planDataSwap(dir, { moves, aside: join(dir.previousData, aside), emptied: [dir.staging] });
        return { aside };
      }),
  };
}
