// Groups a batch of reports by fingerprint and decides what is stored of each group.
import { randomUUIDv7 } from "node:crypto";
import type { KitEvent } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ReportAnalysis } from "./report-analysis.ts";
import { initialSampling, type SamplingState, sampleReport } from "./sampling.ts";

/** An error report in the journal. `sender` is the run of the game, if it is known. */
export type ReportEntry = { readonly seq: number; readonly sender?: number | null; readonly event: KitEvent };
export type GroupableReport = ReportEntry & {
  readonly atMs: number;
  /** The build that sent it; empty if unknown. */
  readonly build: string;
  readonly quotaKey: string;
  readonly analysis: ReportAnalysis;
  /** Whether a clip of it was requested. */
  readonly clipRequested: boolean;
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
  /** If not, it is stored only until there is a newer one. */
  readonly chosen: boolean;
};

/** How many reports of one build occurred, and when. */
type BuildCount = {
  n: number;
  firstMs: number;
  lastMs: number;
  /** Number in the journal and time of each report, oldest first. Reports of a flood are not in the journal. */
  reports?: [seq: number, atMs: number][];
};

/** How many reports of one fingerprint occurred, and when. */
export type ReportCount = {
  readonly fingerprint: FingerprintId;
  /** By build; the key is empty if it is unknown. */
  readonly builds: Map<string, BuildCount>;
  n: number;
  /** Number of reports in each minute. The key is when the minute began (ms). */
  readonly minutes: Map<number, number>;
  firstMs: number;
  lastMs: number;
  /** The forwarding targets for which a person agreed only after these reports, by their numbers. */
  readonly notFor: readonly number[];
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
  builds: new Map(),
  n: 0,
  minutes: new Map(),
  firstMs: atMs,
  lastMs: atMs,
  notFor: [],
});

/** Maximum builds of one fingerprint in one batch. Reports of further builds count as those of an unknown build. */
const buildsMax = 20;

/** Adds the reports of a build to a count. */
export function addBuildCount({ builds }: ReportCount, build: string, added: BuildCount): void {
  const name = builds.has(build) || builds.size < buildsMax ? build : "";
  const known = builds.get(name);
  if (known === undefined) {
    builds.set(name, added);
    return;
  }
  known.n += added.n;
  known.firstMs = Math.min(known.firstMs, added.firstMs);
  known.lastMs = Math.max(known.lastMs, added.lastMs);
  if (added.reports === undefined) return;
  known.reports ??= [];
  known.reports.push(...added.reports);
}

/** Adds one report to a count; `seq` is its number in the journal. */
export function addToCount(count: ReportCount, atMs: number, build: string, seq?: number): void {
  const added = { n: 1, firstMs: atMs, lastMs: atMs };
  addBuildCount(count, build, seq === undefined ? added : { ...added, reports: [[seq, atMs]] });
  const minuteMs = Math.floor(atMs / aMinuteMs) * aMinuteMs;
  count.n += 1;
  count.minutes.set(minuteMs, (count.minutes.get(minuteMs) ?? 0) + 1);
  count.firstMs = Math.min(count.firstMs, atMs);
  count.lastMs = Math.max(count.lastMs, atMs);
}

function addToGroup(group: ReportGroup, report: GroupableReport): void {
  const { seq, event, atMs, build, clipRequested } = report;
  group.entries.push({ seq, event });
  addToCount(group, atMs, build, seq);
  const { after, chosen } = sampleReport(group.sampling, group.countBefore + group.n, atMs);
  group.sampling = after;
  // The newest report is always stored. A newer one replaces it unless sampling chose it.
  if (group.samples.at(-1)?.chosen === false) group.samples.pop();
  // Targets get the clip of a report only with the report.
  group.samples.push({ report, position: group.n, chosen: chosen || clipRequested });
}

// A quota limits the new issues of each game or sender, so that a flood of different messages does not create a flood of issues.

/** Maximum issues that a game or sender creates in one minute. */
const issuesPerMinuteMax = 60;
/** Maximum issues of a game or sender that have a report within `recentIssueMs`. */
export const recentIssuesMax = 2_000;
export const recentIssueMs = 86_400_000;
/** Maximum issues of all games and senders together. */
export const issuesMax = 100_000;

/** How much of a quota is used: the issues that its game or sender already has. */
export type IssueLoad = {
  /** When its newest issues were created (ms). Contains at least those since `createdSinceMs`. */
  readonly createdMs: readonly number[];
  readonly recent: number;
  /** Number of issues of all games and senders. */
  readonly issues: number;
};

type IssueQuota = {
  /** Returns whether an issue may be created at that time. If so, counts it as created. */
  tryCreate(atMs: number): boolean;
};

/** `createdMs` must contain every issue created after this time. */
export const createdSinceMs = (atMs: number): number => atMs - aMinuteMs;

function createIssueQuota({ createdMs, recent, issues }: IssueLoad): IssueQuota {
  let created = [...createdMs];
  let added = 0;
  return {
    tryCreate(atMs) {
      created = created.filter((ms) => ms > atMs - aMinuteMs);
      if (created.length >= issuesPerMinuteMax || recent + added >= recentIssuesMax || issues + added >= issuesMax)
        return false;
      created.push(atMs);
      added += 1;
      return true;
    },
  };
}

type GroupingContext = {
  readonly known: ReadonlyMap<string, KnownIssue>;
  /** For each quota key that has a report without an issue: how much of its quota is used. */
  readonly issueLoads: ReadonlyMap<string, IssueLoad>;
};

type GroupingReads = {
  knownIssues(identities: readonly FingerprintId[]): Promise<ReadonlyMap<string, KnownIssue>>;
  issueLoad(quotaKey: string, atMs: number): Promise<IssueLoad>;
};

/** Reads what the grouping of these reports needs from the database. */
export async function readGroupingContext(
  reports: readonly GroupableReport[],
  store: GroupingReads,
): Promise<GroupingContext> {
  const fingerprints = reports.flatMap((report) => [fingerprintIdOf(report), overflowIdOf(report)]);
  const distinct = new Map(fingerprints.map((fingerprint) => [fingerprintName(fingerprint), fingerprint]));
  const known = await store.knownIssues([...distinct.values()]);
  const unknown = reports.filter((report) => !known.has(fingerprintName(fingerprintIdOf(report))));
  // Reads the use of a quota as of the time of the first report that may need an issue.
  const firsts = new Map<string, GroupableReport>();
  for (const report of unknown) if (!firsts.has(report.quotaKey)) firsts.set(report.quotaKey, report);
  const loads = [...firsts].map(
    async ([quotaKey, { atMs }]) => [quotaKey, await store.issueLoad(quotaKey, atMs)] as const,
  );
  return { known, issueLoads: new Map(await Promise.all(loads)) };
}

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
