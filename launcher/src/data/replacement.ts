// Another database takes the present one's place: a backup, what was set aside, or an empty one. It is made ready and checked
// first, while the launcher runs; what is left for between the two openings are renames.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { KitError } from "@kit/contract";
import { type DataDir, dataDirAt } from "../storage/data-dir.ts";
import { UnknownSchema, UnsoundDatabase } from "../storage/failure.ts";
import { workOnFile } from "../storage/file-work.ts";
import { planReopening } from "../storage/reopening.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { disarming, leftOutSays } from "./foreign-store.ts";
import { asidePath, canSetClipsAside, isWhole, movesAside, movesBack, newAside, type Place } from "./quarantine.ts";
import { noneLeft } from "./wipe-store.ts";

export type ReplacingNeeds = Place & {
  readonly migrations: string;
  /** Who may get in stays as it is. */
  readonly carried: () => Promise<readonly Statement[]>;
  readonly storage: Pick<Storage, "read">;
  readonly now: () => number;
};

export type Replacing = ReturnType<typeof createReplacing>;

/** The name of what is set aside by it; done at the next opening. */
type Planned = { readonly aside: string };

export function createReplacing(needs: ReplacingNeeds) {
  const { dir, migrations, now } = needs;
  let isPlanned = false;

  /** Gives what a person is told of it: a copy that this launcher did not make is disarmed. */
  const ready = async (at: string, copyOf?: string): Promise<{ says?: string }> => {
    const statements = [...(await needs.carried()), noneLeft()];
    const copy = async () =>
      copyOf !== undefined && { copyOf, foreign: { ...(await disarming(needs.storage)), backups: dir.backups } };
    try {
      const { leftOut } = await workOnFile({ type: "ready", at, migrations, statements, ...(await copy()) });
      return leftOut === undefined ? {} : { says: leftOutSays(leftOut) };
    } catch (error) {
      const isRefused = error instanceof UnknownSchema || error instanceof UnsoundDatabase;
      if (isRefused)
        throw new KitError("payload_invalid", `It cannot be restored: ${error.message} Nothing was changed.`);
      throw new KitError(
        "storage_unavailable",
        `It could not be made ready. ${(error as Error).message} Nothing was changed.`,
      );
    }
  };
  /** One at a time: what is planned is what happens. */
  const once = async (plan: () => Promise<Planned>): Promise<Planned> => {
    if (isPlanned)
      throw new KitError("payload_invalid", "The launcher is about to open anew already. Try again in a moment.");
    isPlanned = true;
    try {
      // What an earlier wipe had left to do was of the database that goes.
      const planned = await plan();
      rmSync(dir.wiping, { force: true });
      return planned;
    } catch (error) {
      isPlanned = false;
      throw error;
    }
  };
  const incoming = (into: DataDir) => {
    const { database } = dataDirAt(into.incoming);
    rmSync(into.incoming, { recursive: true, force: true });
    return database;
  };

  return {
    backup: (path: string) =>
      once(async () => {
        const at = incoming(dir);
        const said = await ready(at, path);
        const aside = newAside(needs, "restored", now(), false);
        const moves = [...movesAside(needs, aside, false), { from: at, to: dir.database }];
        planReopening(dir, { moves, aside: join(dir.aside, aside), emptied: [dir.incoming], ...said });
        return { aside };
      }),
    aside: (name: string) =>
      once(async () => {
        const path = asidePath(needs, name);
        const database = join(path, "kit.db");
        if (!existsSync(database))
          throw new KitError("payload_invalid", `There is no database in ${name}. Nothing was changed.`);
        const all = isWhole(path);
        await ready(database);
        const aside = newAside(needs, "restored", now(), all);
        const moves = [...movesAside(needs, aside, all), ...movesBack(needs, name, all)];
        planReopening(dir, { moves, aside: join(dir.aside, aside), emptied: [path] });
        return { aside };
      }),
    all: () =>
      once(async () => {
        if (!canSetClipsAside(needs)) {
          throw new KitError(
            "payload_invalid",
            "The clips lie in a folder that holds Kit's own files: they cannot be set aside.",
          );
        }
        const at = incoming(dir);
        await ready(at);
        const aside = newAside(needs, "wiped", now(), true);
        const moves = [...movesAside(needs, aside, true), { from: at, to: dir.database }];
        planReopening(dir, { moves, aside: join(dir.aside, aside), emptied: [dir.incoming] });
        return { aside };
      }),
  };
}
