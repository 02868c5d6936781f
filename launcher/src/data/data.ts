// The keeping slice: what uses the disk, backups, what was set aside, an export of everything, and wipes.
import type { StoredAmounts } from "@kit/contract";
import type { Route } from "../http/route.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createBackups } from "./backups.ts";
import type { ExportNeeds } from "./export/export.ts";
import { createReplacing, type ReplacingNeeds } from "./replacement.ts";
import { dataRoutes } from "./routes.ts";
import { type Count, storedAmountsOf } from "./stored-amounts.ts";
import { type UsageNeeds, usageOf } from "./usage.ts";
import { plannedWipes } from "./wipe-store.ts";
import { createWipes } from "./wipes.ts";

export type DataNeeds = Omit<ReplacingNeeds, "now"> &
  Omit<UsageNeeds, "holdings"> & {
    readonly storage: Pick<Storage, "read" | "write">;
    /** Each slice's own. */
    readonly counts: readonly Count[];
    /** A person, or its events, named it. */
    readonly isKnown: (game: string) => boolean;
    readonly exporting: Omit<ExportNeeds, "now">;
    readonly now: () => number;
    readonly onChanged: () => void;
  };

export type DataService = {
  load(): Promise<void>;
  readonly routes: readonly Route[];
  /** Resolves when the launcher has to close and open anew: what was planned is done in between. */
  readonly reopening: Promise<void>;
  stop(): void;
};

export function createDataService(needs: DataNeeds): DataService {
  const { storage, dir, now, onChanged } = needs;
  const { promise: reopening, resolve: reopen } = Promise.withResolvers<void>();
  let counting: Promise<Map<string | null, StoredAmounts>> | undefined;
  /** Who asks meanwhile is given the same: it reads all of the journal's rows. */
  const holdings = () => {
    counting ??= storedAmountsOf(needs.counts).finally(() => {
      counting = undefined;
    });
    return counting;
  };
  const write = (...statements: Statement[]) => storage.write(...statements);
  const wipes = createWipes({
    write,
    holdings,
    now,
    onChanged,
    isKnown: needs.isKnown,
    planned: () => plannedWipes(storage),
    onDue: reopen,
  });

  return {
    load: wipes.load,
    reopening,
    routes: dataRoutes({
      wipes,
      now,
      reopen,
      onChanged,
      place: needs,
      usage: () => usageOf({ ...needs, holdings }),
      backups: createBackups(dir, onChanged),
      replacing: createReplacing(needs),
      exporting: { ...needs.exporting, now },
      isKnown: async (game) => (game !== null && needs.isKnown(game)) || (await holdings()).has(game),
    }),
    stop: wipes.stop,
  };
}
