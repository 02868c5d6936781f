// Kinds on the way to their issue: their first reports go in at once, what comes on top of them waits until they are met.

/** As many as of a kind that was met: the first ones and a burst. */
const atOnceMax = 40;
/** Longer than the way to an issue takes, also at a storm's beginning; less than a game waits for its answer. */
const waitMs = 1_000;
const kindsMax = 5_000;

type Kind = {
  arrived: number;
  readonly isMet: PromiseWithResolvers<void>;
  timer?: NodeJS.Timeout;
};

export type PendingIssues = {
  /** False for the first reports of a kind. The others wait until it was met or that takes too long, and resolve to true. */
  arrive(name: string): Promise<true> | false;
  /** Whoever waits for it goes on. */
  met(name: string): void;
};

export function createPendingIssues(): PendingIssues {
  const kinds = new Map<string, Kind>();
  const met = (name: string) => {
    const kind = kinds.get(name);
    if (kind === undefined) return;
    clearTimeout(kind.timer);
    kinds.delete(name);
    kind.isMet.resolve();
  };
  return {
    arrive(name) {
      const kind = kinds.get(name) ?? { arrived: 0, isMet: Promise.withResolvers<void>() };
      kinds.set(name, kind);
      if (kinds.size > kindsMax) met(kinds.keys().next().value ?? name);
      kind.arrived += 1;
      if (kind.arrived <= atOnceMax) return false;
      kind.timer ??= setTimeout(() => met(name), waitMs).unref();
      return kind.isMet.promise.then(() => true);
    },
    met,
  };
}
