// Passes the capture from one backend to another, so that windows which are already held keep their footage.
import { type Backend, type CutOrder, type Footage, NoFootage } from "./backend.ts";

/** When a backend captured; `toMs` is null while it still does. */
type Turn = { readonly backend: Backend; readonly fromMs: number; toMs: number | null };

export type BackendSwitch = {
  /** Who captures from now on; undefined is nobody. */
  use(backend: Backend | undefined): void;
  /** The settings are others: whoever captures goes on with them. */
  again(): Promise<void>;
  current(): Backend | undefined;
  hold(id: string, fromMs: number): void;
  release(id: string): void;
  /** Whether a cut has anybody to ask. */
  hasFootage(): boolean;
  cut(order: CutOrder): Promise<Footage>;
  /** A backend's state is another now. */
  changed(): void;
  /** Resolves when nobody captures. */
  end(): Promise<void>;
};

const turnsMax = 8;

export function createBackendSwitch({ onChanged, now }: { onChanged: () => void; now: () => number }): BackendSwitch {
  const holds = new Map<string, number>();
  let turns: Turn[] = [];
  let current: Backend | undefined;
  /** Capture on until the next one does, and until what was held of them is let go. */
  let leaving = new Map<Backend, Set<string>>();
  let stopping: Promise<unknown> = Promise.resolve();

  const stop = (backend: Backend) => {
    leaving.delete(backend);
    for (const turn of turns) if (turn.backend === backend) turn.toMs ??= now();
    stopping = Promise.all([stopping, backend.stop()]);
  };
  const stopThoseThatMay = () => {
    const hasSuccessor = current?.state().state === "recording";
    for (const [backend, held] of leaving) {
      const isOfUse = backend.state().state === "recording";
      if (!isOfUse || current === undefined || (hasSuccessor && held.size === 0)) stop(backend);
    }
  };
  const begin = (backend: Backend) => {
    for (const [id, fromMs] of holds) backend.hold(id, fromMs);
    // It captures still.
    if (leaving.delete(backend)) return;
    turns = [...turns, { backend, fromMs: now(), toMs: null }].slice(-turnsMax);
    void backend.start();
  };
  const currentSinceMs = () => turns.findLast((turn) => turn.backend === current)?.fromMs ?? Number.POSITIVE_INFINITY;
  const overlapMs = ({ fromMs, toMs }: Turn, order: CutOrder) =>
    Math.min(toMs ?? Number.POSITIVE_INFINITY, order.toMs) - Math.max(fromMs, order.fromMs);
  /** Who has most of that time first, of equals the later one. The same backend is asked once. */
  const askedFor = (order: CutOrder): Backend[] => {
    const sorted = turns.toReversed().toSorted((a, b) => overlapMs(b, order) - overlapMs(a, order));
    return [...new Set(sorted.map((turn) => turn.backend))];
  };

  return {
    use(backend) {
      if (backend === current) return;
      const before = current;
      current = backend;
      if (before !== undefined) leaving = leaving.set(before, new Set(holds.keys()));
      if (backend !== undefined) begin(backend);
      stopThoseThatMay();
      onChanged();
    },
    again: async () => current?.start(),
    current: () => current,
    hold(id, fromMs) {
      holds.set(id, fromMs);
      current?.hold(id, fromMs);
      for (const [backend, held] of leaving) {
        if (fromMs >= currentSinceMs()) continue;
        held.add(id);
        backend.hold(id, fromMs);
      }
    },
    release(id) {
      holds.delete(id);
      for (const backend of new Set(turns.map((turn) => turn.backend))) backend.release(id);
      for (const held of leaving.values()) held.delete(id);
      stopThoseThatMay();
    },
    hasFootage: () => turns.length > 0,
    async cut(order) {
      let failure: unknown = new NoFootage("Nobody captured at that time");
      for (const backend of askedFor(order)) {
        try {
          return await backend.cut(order);
        } catch (error) {
          failure = error;
          if (!(error instanceof NoFootage)) break;
        }
      }
      throw failure;
    },
    changed: stopThoseThatMay,
    async end() {
      for (const backend of new Set([...leaving.keys(), ...(current === undefined ? [] : [current])])) stop(backend);
      current = undefined;
      await stopping;
    },
  };
}
