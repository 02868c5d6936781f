// Runs before the journal. In a flood of reports, admits some and only counts the others. Admits everything else.
import type { KitEvent } from "@kit/contract";
import {
  addToCount,
  type Count,
  emptyCount,
  type FingerprintId,
  fingerprintIdOf,
  fingerprintName,
  overflowIdOf,
  overflowVersion,
  quotaKeyOf,
} from "../grouping/group.ts";
import type { ReportAnalysis } from "../grouping/report-analysis.ts";
import { initialSampling, type SamplingState, sampleReport } from "../grouping/sampling.ts";

/** Reports of a fingerprint that do not wait for its issue. Sampling stores as many: the first ones and a burst. */
const firstReportsMax = 40;
/** Longer than the creation of an issue takes, even in a flood. Shorter than a game waits for its answer. */
const waitMs = 1_000;
const pendingIssuesMax = 5_000;

type PendingIssue = {
  arrived: number;
  readonly grouped: PromiseWithResolvers<void>;
  timer?: NodeJS.Timeout;
};

type PendingIssues = {
  /** Returns false for the first reports. For others, resolves to true when the issue exists or after a timeout. */
  waitUntilGrouped(name: string): Promise<true> | false;
  /** Releases the held reports of a fingerprint. */
  markGrouped(name: string): void;
};

function createPendingIssues(): PendingIssues {
  const pending = new Map<string, PendingIssue>();
  const markGrouped = (name: string) => {
    const issue = pending.get(name);
    if (issue === undefined) return;
    clearTimeout(issue.timer);
    pending.delete(name);
    issue.grouped.resolve();
  };
  return {
    waitUntilGrouped(name) {
      const issue = pending.get(name) ?? { arrived: 0, grouped: Promise.withResolvers<void>() };
      pending.set(name, issue);
      if (pending.size > pendingIssuesMax) markGrouped(pending.keys().next().value ?? name);
      issue.arrived += 1;
      if (issue.arrived <= firstReportsMax) return false;
      issue.timer ??= setTimeout(() => markGrouped(name), waitMs).unref();
      return issue.grouped.promise.then(() => true);
    },
    markGrouped,
  };
}

/** Exceeds the quota for new issues, so a report that would create an issue is never held back. */
const newPerMinuteMax = 120;
const aMinuteMs = 60_000;
const quotaKeysMax = 64;

/** Fingerprints of the current minute by name. False means that grouping had no quota for an issue. */
type MinuteOfNewIssues = { readonly beganMs: number; readonly allowed: Map<string, boolean> };

type NewIssueQuota = {
  /** Whether a fingerprint may enter the journal. A repeated fingerprint counts once. */
  allows(quotaKey: string, name: string, atMs: number): boolean;
  /** Makes `allows` return false for this fingerprint until the minute is over. */
  reject(quotaKey: string, name: string): void;
};

function createNewIssueQuota(): NewIssueQuota {
  const minutes = new Map<string, MinuteOfNewIssues>();
  return {
    allows(quotaKey, name, atMs) {
      const before = minutes.get(quotaKey);
      const isOver = before === undefined || Math.abs(atMs - before.beganMs) >= aMinuteMs;
      const { beganMs, allowed } = isOver ? { beganMs: atMs, allowed: new Map<string, boolean>() } : before;
      minutes.delete(quotaKey);
      minutes.set(quotaKey, { beganMs, allowed });
      if (minutes.size > quotaKeysMax) minutes.delete(minutes.keys().next().value ?? quotaKey);
      const isAllowed = allowed.get(name) ?? allowed.size < newPerMinuteMax;
      if (isAllowed) allowed.set(name, true);
      return isAllowed;
    },
    reject: (quotaKey, name) => void minutes.get(quotaKey)?.allowed.set(name, false),
  };
}

/** A report to count. Fingerprints are compared as objects: the caller must have one object for each. */
type CountedReport = { readonly fingerprint: FingerprintId; readonly atMs: number };

/** Calls `gathered` when the write starts, or never if it rejects. Resolves when the counts are durable. */
type WriteCounts = (gathered: () => readonly Count[]) => Promise<void>;

/** Resolves when the report is counted durably. If `write` rejects, rejects and counts nothing. */
function createTallyWriter(write: WriteCounts): (one: CountedReport) => Promise<void> {
  let gathering = new Map<FingerprintId, Count>();
  let next: Promise<void> | undefined;
  const takeCounts = () => {
    const counts = [...gathering.values()];
    gathering = new Map();
    next = undefined;
    return counts;
  };
  const begin = () => {
    const writing = write(takeCounts);
    // The write never asked for the counts. Drop them: their callers see the rejection.
    writing.catch(() => (next === writing ? takeCounts() : undefined));
    return writing;
  };
  return ({ fingerprint, atMs }) => {
    const count = gathering.get(fingerprint) ?? emptyCount(fingerprint, atMs);
    gathering.set(fingerprint, count);
    addToCount(count, atMs);
    next ??= begin();
    return next;
  };
}

/** Returns a function that adds an item to the next batch and settles as that batch does. */
function createBatcher<Item, Outcome>(
  run: (items: readonly Item[]) => Promise<Outcome>,
): (item: Item) => Promise<Outcome> {
  let gathering: Item[] = [];
  let next: Promise<Outcome> | undefined;
  let running: Promise<unknown> = Promise.resolve();

  const begin = (): Promise<Outcome> => {
    const items = gathering;
    gathering = [];
    next = undefined;
    const outcome = run(items);
    running = outcome.catch(() => undefined);
    return outcome;
  };
  return (item) => {
    gathering.push(item);
    next ??= running.then(begin);
    return next;
  };
}

/** A report before it is stored and before its sender is looked up, because the lookup takes time. */
type UnattributedReport = Pick<KitEvent, "origin" | "client"> & {
  readonly message: string;
  readonly stackTrace: string;
  readonly atMs: number;
};
export type IncomingReport = UnattributedReport & Pick<KitEvent, "game">;

/** Grouped reports of one fingerprint: their number, the newest stored event, and their senders. */
type GroupedReports = {
  readonly fingerprint: FingerprintId;
  readonly count: number;
  readonly event: string;
  readonly from: readonly Pick<KitEvent, "origin" | "client">[];
};
/** A fingerprint that exceeded the quota for new issues, so that its reports count for the overflow issue. */
type OverflowedFingerprint = { readonly quotaKey: string; readonly name: string };

export type RateLimiterDeps = {
  readonly analyse: (message: string, stackTrace: string) => FingerprintKey;
  /** Returns the fingerprints that have an issue, by name. */
  readonly findKnown: (identities: readonly FingerprintId[]) => Promise<{ has(name: string): boolean }>;
  /** Adds to the counts of fingerprints that have an issue. */
  readonly write: WriteCounts;
};

export type RateLimiter = {
  /**
   * Decides before the game is known, if only one game sends such reports, because looking up the game costs more than
   * counting. Returns the same promise as `countOrAdmit`, "in" for an admitted report, or undefined if it cannot decide.
   */
  countBySender(report: UnattributedReport): Promise<string> | "in" | undefined;
  /**
   * Resolves to undefined to admit the report. Otherwise the report was counted durably, and the result is the id of a stored
   * report with the same fingerprint. Rejects if `write` rejects; the report was then not counted.
   */
  countOrAdmit(report: IncomingReport): Promise<string | undefined>;
  /** To be called when groups are committed. Starts to track their fingerprints. */
  onGrouped(kinds: readonly GroupedReports[], turnedAway: readonly OverflowedFingerprint[]): void;
  /** Forgets all fingerprints after issues or switches changed, so that the next report of each is admitted and grouped. */
  reset(): void;
};

type TrackedIssue = { readonly fingerprint: FingerprintId; count: number; sampling: SamplingState; event: string };
type FingerprintKey = Pick<ReportAnalysis, "version" | "key">;

/** Joins the headers of the sender with line breaks, which no header can contain. */
const senderKeyOf = ({ origin, client }: Pick<KitEvent, "origin" | "client">, { version, key }: FingerprintKey) =>
  `${version} ${origin ?? ""}\n${client ?? ""}\n${key}`;

/** Maximum tracked fingerprints. The next report of a forgotten one is admitted and tracked again. */
const trackedIssuesMax = 5_000;

export function createRateLimiter({ analyse, findKnown, write }: RateLimiterDeps): RateLimiter {
  const tracked = new Map<string, TrackedIssue>();
  /** Fingerprints by sender and key. Several games may share an entry until the game is looked up. */
  const bySender = new Map<string, Set<TrackedIssue>>();
  const newIssueQuota = createNewIssueQuota();
  const pendingIssues = createPendingIssues();
  const tally = createTallyWriter(write);
  const findKnownBatched = createBatcher(findKnown);

  /** Counts the report unless sampling chose to store it. If its issue is being deleted, the count is deleted with it. */
  const countTracked = (issue: TrackedIssue, atMs: number): Promise<string> | undefined => {
    issue.count += 1;
    const { after, chosen } = sampleReport(issue.sampling, issue.count, atMs);
    issue.sampling = after;
    if (chosen) return undefined;
    const { fingerprint, event } = issue;
    return tally({ fingerprint, atMs }).then(() => event);
  };
  const untrack = (name: string) => {
    const kind = tracked.get(name);
    tracked.delete(name);
    for (const [text, same] of bySender) if (kind && same.delete(kind) && same.size === 0) bySender.delete(text);
  };
  return {
    countBySender(report) {
      const same = bySender.get(senderKeyOf(report, analyse(report.message, report.stackTrace)));
      if (same?.size !== 1) return undefined;
      const [issue] = same;
      return issue && (countTracked(issue, report.atMs) ?? "in");
    },
    async countOrAdmit(report) {
      const { atMs } = report;
      const quotaKey = quotaKeyOf(report);
      const analysed = { event: report, quotaKey, analysis: analyse(report.message, report.stackTrace) };
      const fingerprint = fingerprintIdOf(analysed);
      const name = fingerprintName(fingerprint);
      const isAllowed = () => newIssueQuota.allows(quotaKey, name, atMs);
      if (!tracked.has(name) && isAllowed() && !(await pendingIssues.waitUntilGrouped(name))) return undefined;
      // After the wait, the fingerprint is tracked, over the quota, or still pending.
      const issue = tracked.get(name);
      if (issue !== undefined) return countTracked(issue, atMs);
      if (isAllowed()) return undefined;
      const overflow = tracked.get(fingerprintName(overflowIdOf(analysed)));
      // A fingerprint that had an issue before this start is not part of the flood.
      if (overflow === undefined || (await findKnownBatched(fingerprint)).has(name)) return undefined;
      return countTracked(overflow, atMs);
    },
    onGrouped(groups, overflowed) {
      for (const { quotaKey, name } of overflowed) {
        newIssueQuota.reject(quotaKey, name);
        pendingIssues.markGrouped(name);
      }
      for (const { fingerprint, count, event, from } of groups) {
        const name = fingerprintName(fingerprint);
        const issue = tracked.get(name) ?? { fingerprint, count, sampling: initialSampling, event };
        issue.event = event;
        tracked.delete(name);
        tracked.set(name, issue);
        pendingIssues.markGrouped(name);
        if (fingerprint.version !== overflowVersion) {
          for (const key of new Set(from.map((sender) => senderKeyOf(sender, fingerprint))))
            bySender.set(key, (bySender.get(key) ?? new Set()).add(issue));
        }
        if (tracked.size > trackedIssuesMax) untrack(tracked.keys().next().value ?? name);
      }
    },
    reset() {
      tracked.clear();
      bySender.clear();
    },
  };
}
