// Tracks fingerprints whose issue is being created. Admits the first reports at once and holds the others until the issue
// exists.

/** Reports admitted at once: as many as sampling stores of a known fingerprint. */
const firstReportsMax = 40;
/** Longer than the creation of an issue takes, even in a flood. Shorter than a game waits for its answer. */
const waitMs = 1_000;
const pendingIssuesMax = 5_000;

type PendingIssue = {
  arrived: number;
  readonly grouped: PromiseWithResolvers<void>;
  timer?: NodeJS.Timeout;
};

export type PendingIssues = {
  /** Returns false for the first reports. For others, resolves to true when the issue exists or after a timeout. */
  waitUntilGrouped(name: string): Promise<true> | false;
  /** Releases the held reports of a fingerprint. */
  markGrouped(name: string): void;
};

export function createPendingIssues(): PendingIssues {
  const pending = new Map<string, PendingIssue>();
  const markGrouped = (name: string) => {
    const kind = pending.get(name);
    if (kind === undefined) return;
    clearTimeout(kind.timer);
    pending.delete(name);
    kind.grouped.resolve();
  };
  return {
    waitUntilGrouped(name) {
      const kind = pending.get(name) ?? { arrived: 0, grouped: Promise.withResolvers<void>() };
      pending.set(name, kind);
      if (pending.size > pendingIssuesMax) markGrouped(pending.keys().next().value ?? name);
      kind.arrived += 1;
      if (kind.arrived <= firstReportsMax) return false;
      kind.timer ??= setTimeout(() => markGrouped(name), waitMs).unref();
      return kind.grouped.promise.then(() => true);
    },
    markGrouped,
  };
}
