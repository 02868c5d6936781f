// Runs before the journal. In a flood of reports, admits some and only counts the others. Admits everything else.
import type { KitEvent } from "@kit/contract";
import {
  type FingerprintId,
  fingerprintIdOf,
  fingerprintName,
  overflowIdOf,
  overflowVersion,
  quotaKeyOf,
} from "../grouping/group.ts";
import type { ReportAnalysis } from "../grouping/report-analysis.ts";
import { initialSampling, type SamplingState, sampleReport } from "../grouping/sampling.ts";
import { createBatcher } from "./batcher.ts";
import { createNewIssueQuota } from "./new-issue-quota.ts";
import { createPendingIssues } from "./pending-issues.ts";
import { createTallyWriter, type WriteCounts } from "./tally-writer.ts";

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
