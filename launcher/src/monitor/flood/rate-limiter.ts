// Decides whether a report is stored in the journal or only counted. In a flood, some reports of an issue are stored and the
// others counted. Outside a flood, every report is stored.
import type { KitEvent } from "@kit/contract";
import {
  addToCount,
  emptyReportCount,
  type FingerprintId,
  fingerprintIdOf,
  fingerprintName,
  overflowIdOf,
  overflowVersion,
  quotaKeyOf,
  type ReportCount,
} from "../grouping/group.ts";
import type { ReportAnalysis } from "../grouping/report-analysis.ts";
import { initialSampling, type SamplingState, sampleReport } from "../grouping/sampling.ts";

/** How many reports of a new fingerprint are admitted before its issue exists: the number that sampling would store from a burst. */
const firstReportsMax = 40;
/**
 * How long a report waits for its issue: longer than the creation takes in a flood, shorter than a game waits for an answer.
 */
const waitMs = 1_000;
const pendingIssuesMax = 5_000;

type PendingIssue = {
  arrived: number;
  readonly grouped: PromiseWithResolvers<void>;
  timer?: NodeJS.Timeout;
};

type PendingIssues = {
  /**
   * Returns false for the first reports of a fingerprint. For later ones, resolves to true when the issue exists or after
   * `waitMs`.
   */
  waitUntilGrouped(name: string): Promise<true> | false;
  /** To be called when the issue exists. Lets the reports that wait for it continue. */
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

/**
 * Maximum new fingerprints a minute. Higher than the quota for new issues, so that a report which may create one is admitted.
 */
const newPerMinuteMax = 120;
const aMinuteMs = 60_000;
const quotaKeysMax = 64;

/**
 * `allowed`: the new fingerprints of the current minute, by name. False for one that got no issue, because grouping's quota
 * was used up.
 */
type MinuteOfNewIssues = { readonly beganMs: number; readonly allowed: Map<string, boolean> };

type NewIssueQuota = {
  /**
   * Whether reports of this fingerprint may be stored. A fingerprint uses up the quota once, however often it is asked about.
   */
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

/** A report to count. Equal fingerprints must be the same object, because counts are gathered by object identity. */
type CountedReport = { readonly fingerprint: FingerprintId; readonly atMs: number; readonly build: string };

/**
 * Writes counts. Takes them from `gathered` only when the write starts, so that more can gather. Resolves when they are
 * durable.
 */
type WriteCounts = (gathered: () => readonly ReportCount[]) => Promise<void>;

/**
 * Returns a function that counts a report. It resolves when the count is durable; if `write` rejects, so does it, and nothing
 * is counted.
 */
function createTallyWriter(write: WriteCounts): (one: CountedReport) => Promise<void> {
  let gathering = new Map<FingerprintId, ReportCount>();
  let next: Promise<void> | undefined;
  const takeCounts = () => {
    const counts = [...gathering.values()];
    gathering = new Map();
    next = undefined;
    return counts;
  };
  const begin = () => {
    const writing = write(takeCounts);
    // If the write failed before it took the counts, the counts are dropped: their callers see the failure.
    writing.catch(() => (next === writing ? takeCounts() : undefined));
    return writing;
  };
  return ({ fingerprint, atMs, build }) => {
    const count = gathering.get(fingerprint) ?? emptyReportCount(fingerprint, atMs);
    gathering.set(fingerprint, count);
    addToCount(count, atMs, build);
    next ??= begin();
    return next;
  };
}

/**
 * Runs one batch of items at a time. Returns a function that adds an item to the next batch and returns the outcome of that
 * batch.
 */
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

/** A report whose game is not known yet, because finding its sender takes time. */
type UnattributedReport = Pick<KitEvent, "origin" | "client"> & {
  readonly message: string;
  readonly stackTrace: string;
  /** Undefined if the report does not name it. It then counts for the build of the newest stored report. */
  readonly build?: string | undefined;
  readonly atMs: number;
};
export type IncomingReport = UnattributedReport & Pick<KitEvent, "game">;

/**
 * The reports of one fingerprint that were grouped: `count` in all so far, the newest stored event, and the senders of this
 * batch.
 */
type GroupedReports = {
  readonly fingerprint: FingerprintId;
  readonly count: number;
  readonly event: string;
  readonly build: string;
  readonly from: readonly Pick<KitEvent, "origin" | "client">[];
};
/** A fingerprint that got no issue, because the quota for new ones was used up. Its reports count for the overflow issue. */
type OverflowedFingerprint = { readonly quotaKey: string; readonly name: string };

export type RateLimiterDeps = {
  readonly analyse: (message: string, stackTrace: string) => FingerprintKey;
  /** Looks up the fingerprints. The result has the names of those that have an issue. */
  readonly findKnown: (fingerprints: readonly FingerprintId[]) => Promise<{ has(name: string): boolean }>;
  /** Adds to the counts of fingerprints that have an issue. */
  readonly write: WriteCounts;
};

export type RateLimiter = {
  /**
   * Decides without the game, if reports with these headers and this fingerprint came from only one game: finding the game
   * costs more than counting. Returns the promise of `countOrAdmit` for a counted report, "in" for an admitted one, and
   * undefined if it cannot decide.
   */
  countBySender(report: UnattributedReport): Promise<string> | "in" | undefined;
  /**
   * Resolves to undefined if the report is admitted: the caller stores it. Otherwise the report was counted durably, and the
   * result is the id of a stored report with the same fingerprint. Rejects, without counting, if `write` rejects.
   */
  countOrAdmit(report: IncomingReport): Promise<string | undefined>;
  /** To be called when groups are committed. From then on, reports of their fingerprints can be counted instead of stored. */
  onGrouped(groups: readonly GroupedReports[], overflowed: readonly OverflowedFingerprint[]): void;
  /**
   * To be called when issues or switches changed. Forgets all fingerprints, so that the next report of each is stored and
   * grouped.
   */
  reset(): void;
};

type TrackedIssue = {
  readonly fingerprint: FingerprintId;
  count: number;
  sampling: SamplingState;
  event: string;
  build: string;
};
type FingerprintKey = Pick<ReportAnalysis, "version" | "key">;

/** Line breaks separate the parts, because no header can contain one. */
const senderKeyOf = ({ origin, client }: Pick<KitEvent, "origin" | "client">, { version, key }: FingerprintKey) =>
  `${version} ${origin ?? ""}\n${client ?? ""}\n${key}`;

/** Maximum tracked fingerprints. Beyond it, the one that was grouped longest ago is forgotten: its next report is admitted. */
const trackedIssuesMax = 5_000;

export function createRateLimiter({ analyse, findKnown, write }: RateLimiterDeps): RateLimiter {
  const tracked = new Map<string, TrackedIssue>();
  /** Tracked fingerprints, by the sender's headers and the key. Several games can send the same headers and share a key. */
  const bySender = new Map<string, Set<TrackedIssue>>();
  const newIssueQuota = createNewIssueQuota();
  const pendingIssues = createPendingIssues();
  const tally = createTallyWriter(write);
  const findKnownBatched = createBatcher(findKnown);

  /**
   * Counts the report, or returns undefined if sampling chose to store it. If its issue is deleted now, the count goes with
   * it.
   */
  const countTracked = (
    issue: TrackedIssue,
    { atMs, build = issue.build }: UnattributedReport,
  ): Promise<string> | undefined => {
    issue.count += 1;
    const { after, chosen } = sampleReport(issue.sampling, issue.count, atMs);
    issue.sampling = after;
    if (chosen) return undefined;
    const { fingerprint, event } = issue;
    return tally({ fingerprint, atMs, build }).then(() => event);
  };
  const untrack = (name: string) => {
    const issue = tracked.get(name);
    tracked.delete(name);
    for (const [key, same] of bySender) if (issue && same.delete(issue) && same.size === 0) bySender.delete(key);
  };
  return {
    countBySender(report) {
      const same = bySender.get(senderKeyOf(report, analyse(report.message, report.stackTrace)));
      if (same?.size !== 1) return undefined;
      const [issue] = same;
      return issue && (countTracked(issue, report) ?? "in");
    },
    async countOrAdmit(report) {
      const { atMs } = report;
      const quotaKey = quotaKeyOf(report);
      const analysed = { event: report, quotaKey, analysis: analyse(report.message, report.stackTrace) };
      const fingerprint = fingerprintIdOf(analysed);
      const name = fingerprintName(fingerprint);
      const isAllowed = () => newIssueQuota.allows(quotaKey, name, atMs);
      if (!tracked.has(name) && isAllowed() && !(await pendingIssues.waitUntilGrouped(name))) return undefined;
      // After the wait, the issue is tracked, or the quota for issues was used up, or the issue still does not exist.
      const issue = tracked.get(name);
      if (issue !== undefined) return countTracked(issue, report);
      if (isAllowed()) return undefined;
      const overflow = tracked.get(fingerprintName(overflowIdOf(analysed)));
      // A fingerprint that already had an issue when the launcher started is not part of the flood.
      if (overflow === undefined || (await findKnownBatched(fingerprint)).has(name)) return undefined;
      return countTracked(overflow, report);
    },
    onGrouped(groups, overflowed) {
      for (const { quotaKey, name } of overflowed) {
        newIssueQuota.reject(quotaKey, name);
        pendingIssues.markGrouped(name);
      }
      for (const { fingerprint, count, event, build, from } of groups) {
        const name = fingerprintName(fingerprint);
        const issue = tracked.get(name) ?? { fingerprint, count, sampling: initialSampling, event, build };
        issue.event = event;
        issue.build = build;
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
