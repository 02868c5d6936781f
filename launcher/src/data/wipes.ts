// Plans wipes of a game: half a minute to undo, then the launcher closes, wipes, and reopens.
import { KitError, type StoredAmounts, type Wipe } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import { noStoredAmounts } from "./usage.ts";
import { deleteWipe, insertWipe, type PlannedWipe } from "./wipe-store.ts";

const undoMs = 30_000;

export type WipesDeps = {
  readonly listPlanned: () => Promise<PlannedWipe[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly storedAmounts: () => Promise<ReadonlyMap<string | null, StoredAmounts>>;
  /** Returns true for known games, including games without stored data. */
  readonly hasGame: (game: string) => boolean;
  readonly now: () => number;
  readonly onChanged: () => void;
  /** Called when a wipe is due, so that the launcher reopens. */
  readonly onDue: () => void;
  readonly undoMs?: number;
};

export type Wipes = {
  load(): Promise<void>;
  list(): Promise<Wipe[]>;
  /** `dryRun` only reports what would be deleted. A wipe that is already planned keeps its time. */
  plan(game: string, dryRun: boolean): Promise<Wipe>;
  undo(game: string): Promise<void>;
  stop(): void;
};

const unsorted = "unsorted";
const keyOf = (game: string) => (game === unsorted ? null : game);

export function createWipes(needs: WipesDeps): Wipes {
  const { write, now, onChanged, onDue } = needs;
  let timer: NodeJS.Timeout | undefined;

  /** Schedules the next wipe. A wipe that was due at the start and failed waits for the next opening. */
  const scheduleNext = async () => {
    clearTimeout(timer);
    const [next] = (await needs.listPlanned()).filter(({ dueMs }) => dueMs > now());
    if (next !== undefined) timer = setTimeout(onDue, next.dueMs - now()).unref();
  };
  const wipeOf = ({ game, dueMs }: PlannedWipe, holdings: ReadonlyMap<string | null, StoredAmounts>): Wipe => ({
    game: game ?? unsorted,
    holdings: holdings.get(game) ?? noStoredAmounts,
    dueAt: new Date(dueMs).toISOString(),
  });

  return {
    load: scheduleNext,
    async list() {
      const [wipes, holdings] = await Promise.all([needs.listPlanned(), needs.storedAmounts()]);
      return wipes.map((one) => wipeOf(one, holdings));
    },
    async plan(name, dryRun) {
      const game = keyOf(name);
      const [wipes, holdings] = await Promise.all([needs.listPlanned(), needs.storedAmounts()]);
      if (!holdings.has(game) && game !== null && !needs.hasGame(game)) {
        throw new KitError(
          "not_found",
          `Kit has no data of a game ${name}. \`kit storage\` lists the games with data.`,
        );
      }
      const before = wipes.find((one) => one.game === game);
      const wipe = before ?? { game, dueMs: now() + (needs.undoMs ?? undoMs) };
      if (dryRun || before !== undefined) return wipeOf(wipe, holdings);
      await write(insertWipe(wipe));
      await scheduleNext();
      onChanged();
      return wipeOf(wipe, holdings);
    },
    async undo(name) {
      const wipe = (await needs.listPlanned()).find(({ game }) => game === keyOf(name));
      if (wipe === undefined) throw new KitError("not_found", `No wipe of ${name} is planned.`);
      if (wipe.dueMs <= now())
        throw new KitError("payload_invalid", `${name} is being wiped, which can no longer be undone.`);
      await write(deleteWipe(wipe.game));
      await scheduleNext();
      onChanged();
    },
    stop: () => clearTimeout(timer),
  };
}
