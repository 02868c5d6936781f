// Groups a batch of reports by fingerprint and decides what is stored of each group.

import { randomUUIDv7 } from "node:crypto";
import type { KitEvent } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createIssueQuota, type IssueLoad, type IssueQuota } from "./issue-quota.ts";
import type { ReportAnalysis } from "./report-analysis.ts";
import { initialSampling, type SamplingState, sampleReport } from "./sampling.ts";

/** An error report in the journal. `sender` is the run of the game, if it is known. */
export type ReportEntry = { readonly seq: number; readonly sender?: number | null; readonly event: KitEvent };
export type GroupableReport = ReportEntry & {
  readonly atMs: number;
  readonly quotaKey: string;
  readonly analysis: ReportAnalysis;
};

/** Names a fingerprint. Reports with the same one belong to the same issue. */
export type FingerprintId = { readonly game: string; readonly version: number; readonly key: string };

/** The issue of a fingerprint that has one, with the state from which counting and sampling continue. */
export type KnownIssue = {
  readonly issue: string;
  readonly title: string;
  /** Number of reports so far. Approximate, because tallies that were not moved into the sums yet are missing. */
  readonly count: number;
  readonly sampling: SamplingState;
};

/** A report that is stored with message and stack. */
export type SampledReport = {
  readonly report: GroupableReport;
  /** Position among the reports of its group in this batch, from 1. */
  readonly position: number;
  /** Whether sampling chose the report. If not, it is stored only until there is a newer one. */
  readonly chosen: boolean;
};

/** How many reports of one fingerprint occurred, and when. */
export type ReportCount = {
  readonly fingerprint: FingerprintId;
  n: number;
  /** Number of reports in each minute. The key is when the minute began (ms). */
  readonly minutes: Map<number, number>;
  firstMs: number;
  lastMs: number;
};

/** The reports of a batch with one fingerprint. */
export type ReportGroup = ReportCount & {
  /** The issue to create if the fingerprint has none yet. */
  readonly issue: Omit<ReportAnalysis, "version" | "key"> & {
    readonly id: string;
    readonly game: string | null;
    readonly quotaKey: string;
    readonly isOverflow: boolean;
  };
  readonly isNew: boolean;
  /** Approximate number of reports before this batch. */
  readonly countBefore: number;
  readonly entries: ReportEntry[];
  sampling: SamplingState;
  readonly samples: SampledReport[];
};

const aMinuteMs = 60_000;
/** The version in the fingerprints of overflow issues. No rules have it, so no report gets such a fingerprint by itself. */
export const overflowVersion = 0;

type AnalysedReport = {
  readonly event: Pick<KitEvent, "game">;
  readonly quotaKey: string;
  readonly analysis: Pick<ReportAnalysis, "version" | "key">;
};
export const fingerprintIdOf = ({ event, analysis }: AnalysedReport): FingerprintId => ({
  game: event.game ?? "",
  version: analysis.version,
  key: analysis.key,
});
export const overflowIdOf = ({ event, quotaKey }: Pick<AnalysedReport, "event" | "quotaKey">): FingerprintId => ({
  game: event.game ?? "",
  version: overflowVersion,
  key: quotaKey,
});
export const fingerprintName = ({ game, version, key }: FingerprintId): string => JSON.stringify([game, version, key]);

/** Returns whose quota for new issues a report uses: its game's, or its sender's if the game is unknown. */
export function quotaKeyOf({ game, origin, client }: Pick<KitEvent, "game" | "origin" | "client">): string {
  return (game ?? origin ?? client?.split(" ", 1)[0] ?? "unknown").slice(0, 200).toWellFormed();
}

const overflowIssue = (quotaKey: string) => ({
  title: `Too many different errors from ${quotaKey}`,
  dialect: "text" as const,
  why: message("issue.overflow"),
  culprit: null,
});

export const emptyReportCount = (identity: FingerprintId, atMs: number): ReportCount => ({
  fingerprint: identity,
  n: 0,
  minutes: new Map(),
  firstMs: atMs,
  lastMs: atMs,
});

/** Adds one report to a count. */
export function addToCount(count: ReportCount, atMs: number): void {
  const minuteMs = Math.floor(atMs / aMinuteMs) * aMinuteMs;
  count.n += 1;
  count.minutes.set(minuteMs, (count.minutes.get(minuteMs) ?? 0) + 1);
  count.firstMs = Math.min(count.firstMs, atMs);
  count.lastMs = Math.max(count.lastMs, atMs);
}

function addToGroup(group: ReportGroup, report: GroupableReport): void {
  const { seq, event, atMs } = report;
  group.entries.push({ seq, event });
  addToCount(group, atMs);
  const { after, chosen } = sampleReport(group.sampling, group.countBefore + group.n, atMs);
  group.sampling = after;
  // The newest report is always stored. A newer one replaces it unless sampling chose it.
  if (group.samples.at(-1)?.chosen === false) group.samples.pop();
  group.samples.push({ report, position: group.n, chosen });
}

export type GroupingContext = {
  readonly known: ReadonlyMap<string, KnownIssue>;
  /** For each quota key that has a report without an issue: how much of its quota is used. */
  readonly issueLoads: ReadonlyMap<string, IssueLoad>;
};

/** Groups reports in their order. The result does not depend on where one batch ends and the next begins. */
export function groupReports(
  reports: readonly GroupableReport[],
  { known, issueLoads }: GroupingContext,
): ReportGroup[] {
  const groups = new Map<string, ReportGroup>();
  const quotas = new Map<string, IssueQuota>(
    [...issueLoads].map(([quotaKey, load]) => [quotaKey, createIssueQuota(load)]),
  );
  const openGroup = (report: GroupableReport, identity: FingerprintId): ReportGroup => {
    const name = fingerprintName(identity);
    const existing = known.get(name);
    const isOverflow = identity.version === overflowVersion;
    const { version: _, key: __, ...summary } = report.analysis;
    const issue = {
      ...summary,
      ...(isOverflow ? overflowIssue(report.quotaKey) : {}),
      ...(existing && { title: existing.title }),
      id: existing?.issue ?? randomUUIDv7(),
      game: report.event.game,
      quotaKey: report.quotaKey,
      isOverflow,
    };
    const group: ReportGroup = {
      ...emptyReportCount(identity, report.atMs),
      issue,
      isNew: existing === undefined,
      countBefore: existing?.count ?? 0,
      entries: [],
      samples: [],
      sampling: existing?.sampling ?? initialSampling,
    };
    groups.set(name, group);
    return group;
  };
  for (const report of reports) {
    const own = fingerprintIdOf(report);
    const name = fingerprintName(own);
    const hasOwnIssue =
      groups.has(name) || known.has(name) || quotas.get(report.quotaKey)?.tryCreate(report.atMs) === true;
    const identity = hasOwnIssue ? own : overflowIdOf(report);
    addToGroup(groups.get(fingerprintName(identity)) ?? openGroup(report, identity), report);
  }
  return [...groups.values()];
}
