// Plans wipes of a game: half a minute to undo, then the launcher closes, wipes, and reopens.

import { KitError, type StoredAmounts, type Wipe } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Storage } from "../storage/storage.ts";
import { noStoredAmounts } from "./usage.ts";
import { deleteWipe, insertWipe, listPlannedWipes, type PlannedWipe } from "./wipe-store.ts";

const undoMs = 30_000;

export type WipesDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly storedAmounts: () => Promise<ReadonlyMap<string | null, StoredAmounts>>;
  /** Returns true for known games, including games without stored data. */
  readonly hasGame: (game: string) => boolean;
  readonly now: () => number;
  readonly onChanged: () => void;
  /** Called when a wipe is due, so that the launcher reopens. */
  readonly onDue: () => void;
};

const unsorted = "unsorted";
const keyOf = (game: string) => (game === unsorted ? null : game);

const wipeOf = ({ game, dueMs }: PlannedWipe, amounts: ReadonlyMap<string | null, StoredAmounts>): Wipe => ({
  game: game ?? unsorted,
  holdings: amounts.get(game) ?? noStoredAmounts,
  dueAt: new Date(dueMs).toISOString(),
});

export class Wipes {
  readonly #deps: WipesDeps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: WipesDeps) {
    this.#deps = deps;
  }

  /** Schedules the next wipe. A wipe that was due at the start and failed waits for the next opening. */
  async scheduleNext(): Promise<void> {
    const { storage, now, onDue } = this.#deps;
    clearTimeout(this.#timer);
    const [next] = (await listPlannedWipes(storage)).filter(({ dueMs }) => dueMs > now());
    if (next !== undefined) this.#timer = setTimeout(onDue, next.dueMs - now()).unref();
  }

  async list(): Promise<Wipe[]> {
    const { storage, storedAmounts } = this.#deps;
    const [wipes, amounts] = await Promise.all([listPlannedWipes(storage), storedAmounts()]);
    return wipes.map((one) => wipeOf(one, amounts));
  }

  /** `dryRun` only reports what would be deleted. A wipe that is already planned keeps its time. */
  async plan(name: string, dryRun: boolean): Promise<Wipe> {
    const { storage, storedAmounts, hasGame, now } = this.#deps;
    const game = keyOf(name);
    const [wipes, amounts] = await Promise.all([listPlannedWipes(storage), storedAmounts()]);
    if (!amounts.has(game) && game !== null && !hasGame(game)) {
      throw new KitError("not_found", message("wipe.unknown_game", { game: name }));
    }
    const before = wipes.find((one) => one.game === game);
    const wipe = before ?? { game, dueMs: now() + undoMs };
    if (dryRun || before !== undefined) return wipeOf(wipe, amounts);
    await storage.write(insertWipe(wipe));
    await this.#changed();
    return wipeOf(wipe, amounts);
  }

  async undo(name: string): Promise<void> {
    const { storage, now } = this.#deps;
    const wipe = (await listPlannedWipes(storage)).find(({ game }) => game === keyOf(name));
    if (wipe === undefined) throw new KitError("not_found", message("wipe.not_planned", { game: name }));
    if (wipe.dueMs <= now()) throw new KitError("payload_invalid", message("wipe.started", { game: name }));
    await storage.write(deleteWipe(wipe.game));
    await this.#changed();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #changed(): Promise<void> {
    await this.scheduleNext();
    this.#deps.onChanged();
  }
}
