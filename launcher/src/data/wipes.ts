// Wipes of one game: said before, half a minute to undo, then the launcher opens anew and does it in between.
import { KitError, type StoredAmounts, type Wipe } from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import { nothing } from "./stored-amounts.ts";
import { ended, type PlannedWipe, planned } from "./wipe-store.ts";

const undoMs = 30_000;

export type WipesNeeds = {
  readonly planned: () => Promise<PlannedWipe[]>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly holdings: () => Promise<ReadonlyMap<string | null, StoredAmounts>>;
  /** A game may be known of which nothing is kept. */
  readonly isKnown: (game: string) => boolean;
  readonly now: () => number;
  readonly onChanged: () => void;
  /** It is time: what is due is done while the launcher opens anew. */
  readonly onDue: () => void;
  readonly undoMs?: number;
};

export type Wipes = {
  load(): Promise<void>;
  list(): Promise<Wipe[]>;
  /** `dryRun` says what would go. One that is about to be wiped keeps its time. */
  plan(game: string, dryRun: boolean): Promise<Wipe>;
  undo(game: string): Promise<void>;
  stop(): void;
};

const unsorted = "unsorted";
const keyOf = (game: string) => (game === unsorted ? null : game);

export function createWipes(needs: WipesNeeds): Wipes {
  const { write, now, onChanged, onDue } = needs;
  let timer: NodeJS.Timeout | undefined;

  /** What was due when the launcher opened, and failed, is tried again at the next opening: not over and over. */
  const wake = async () => {
    clearTimeout(timer);
    const [next] = (await needs.planned()).filter(({ dueMs }) => dueMs > now());
    if (next !== undefined) timer = setTimeout(onDue, next.dueMs - now()).unref();
  };
  const wipeOf = ({ game, dueMs }: PlannedWipe, holdings: ReadonlyMap<string | null, StoredAmounts>): Wipe => ({
    game: game ?? unsorted,
    holdings: holdings.get(game) ?? nothing,
    dueAt: new Date(dueMs).toISOString(),
  });

  return {
    load: wake,
    async list() {
      const [wipes, holdings] = await Promise.all([needs.planned(), needs.holdings()]);
      return wipes.map((one) => wipeOf(one, holdings));
    },
    async plan(name, dryRun) {
      const game = keyOf(name);
      const [wipes, holdings] = await Promise.all([needs.planned(), needs.holdings()]);
      if (!holdings.has(game) && game !== null && !needs.isKnown(game)) {
        throw new KitError("not_found", `Nothing is kept of a game ${name}. \`kit storage\` lists what is.`);
      }
      const before = wipes.find((one) => one.game === game);
      const wipe = before ?? { game, dueMs: now() + (needs.undoMs ?? undoMs) };
      if (dryRun || before !== undefined) return wipeOf(wipe, holdings);
      await write(planned(wipe));
      await wake();
      onChanged();
      return wipeOf(wipe, holdings);
    },
    async undo(name) {
      const wipe = (await needs.planned()).find(({ game }) => game === keyOf(name));
      if (wipe === undefined) throw new KitError("not_found", `${name} is not about to be wiped.`);
      if (wipe.dueMs <= now())
        throw new KitError("payload_invalid", `${name} is being wiped: it cannot be undone any more.`);
      await write(ended(wipe.game));
      await wake();
      onChanged();
    },
    stop: () => clearTimeout(timer),
  };
}
