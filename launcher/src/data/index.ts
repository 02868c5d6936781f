// Composes the data slice: disk usage, backups, previous data, exports and wipes. Other folders import only this file.

import type { CommandOptions } from "@kit/contract";
import { shareRun } from "../async.ts";
import type { Route } from "../http/route.ts";
import type { Storage } from "../storage/storage.ts";
import { createBackups } from "./backups.ts";
import type { ExportDeps } from "./export.ts";
import { createReplacement, type ReplacementDeps } from "./replacement.ts";
import { dataRoutes } from "./routes.ts";
import { type CountByGame, computeUsage, sumStoredAmounts, type UsageDeps } from "./usage.ts";
import { Wipes } from "./wipes.ts";

export type { ExportDeps, ExportFile, ExportPart } from "./export.ts";
export { type GameData, openAfterWipes } from "./wipes.ts";

type DataDeps = Omit<ReplacementDeps, "now"> &
  Omit<UsageDeps, "storedAmounts"> & {
    readonly storage: Pick<Storage, "read" | "write">;
    /** One count function for each slice. */
    readonly counts: readonly CountByGame[];
    /** Returns true if a person or an event has named the game. */
    readonly hasGame: (game: string) => boolean;
    readonly exporting: Omit<ExportDeps, "now">;
    readonly commandOptions: CommandOptions;
    readonly now: () => number;
    readonly openedAtMs: number;
    readonly onChanged: () => void;
  };

export type DataService = {
  load(): Promise<void>;
  readonly routes: readonly Route[];
  /** Resolves when the launcher must close and reopen, to carry out what was planned. */
  readonly reopening: Promise<void>;
  stop(): void;
};

export function createDataService(needs: DataDeps): DataService {
  const { storage, dir, now, openedAtMs, hasGame, onChanged } = needs;
  const { promise: reopening, resolve: reopen } = Promise.withResolvers<void>();
  /** Counting reads all rows of the journal, so callers share the result of a count that is already running. */
  const { run: storedAmounts } = shareRun(() => sumStoredAmounts(needs.counts));
  const wipes = new Wipes({ storage, storedAmounts, hasGame, now, openedAtMs, onChanged, onDue: reopen });

  return {
    load: () => wipes.scheduleNext(),
    reopening,
    routes: dataRoutes({
      wipes,
      now,
      reopen,
      onChanged,
      location: needs,
      commandOptions: needs.commandOptions,
      usage: () => computeUsage({ ...needs, storedAmounts }),
      backups: createBackups(dir, onChanged),
      replacement: createReplacement(needs),
      exporting: { ...needs.exporting, now },
      hasData: async (game) => (game !== null && hasGame(game)) || (await storedAmounts()).has(game),
    }),
    stop: () => wipes.stop(),
  };
}
