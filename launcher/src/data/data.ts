// Composes the data slice: disk usage, backups, previous data, exports and wipes.
import type { StoredAmounts } from "@kit/contract";
import type { Route } from "../http/route.ts";
import type { Storage } from "../storage/storage.ts";
import { createBackups } from "./backups.ts";
import type { ExportDeps } from "./export.ts";
import { createReplacement, type ReplacementDeps } from "./replacement.ts";
import { dataRoutes } from "./routes.ts";
import { type CountByGame, computeUsage, sumStoredAmounts, type UsageDeps } from "./usage.ts";
import { Wipes } from "./wipes.ts";

export type DataDeps = Omit<ReplacementDeps, "now"> &
  Omit<UsageDeps, "storedAmounts"> & {
    readonly storage: Pick<Storage, "read" | "write">;
    /** One count function for each slice. */
    readonly counts: readonly CountByGame[];
    /** Returns true if a person or an event has named the game. */
    readonly hasGame: (game: string) => boolean;
    readonly exporting: Omit<ExportDeps, "now">;
    readonly commandOptions: string;
    readonly now: () => number;
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
  const { storage, dir, now, onChanged } = needs;
  const { promise: reopening, resolve: reopen } = Promise.withResolvers<void>();
  let counting: Promise<Map<string | null, StoredAmounts>> | undefined;
  /** Counting reads all rows of the journal, so callers share the result of a count that is already running. */
  const storedAmounts = () => {
    counting ??= sumStoredAmounts(needs.counts).finally(() => {
      counting = undefined;
    });
    return counting;
  };
  const wipes = new Wipes({ storage, storedAmounts, hasGame: needs.hasGame, now, onChanged, onDue: reopen });

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
      hasData: async (game) => (game !== null && needs.hasGame(game)) || (await storedAmounts()).has(game),
    }),
    stop: () => wipes.stop(),
  };
}
