// The monitor slice: turns error reports into issues and receipts. Its writes are committed together with its cursor in the
// journal, so that every report is counted once, even after a crash.
import type { KitEvent, MessageOrText, ReceiptState } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createRateLimiter, type RateLimiter } from "./flood/rate-limiter.ts";
import { createTallyCollector } from "./flood/tally-collector.ts";
import { createForwarding, type ForwardingDeps } from "./forwarding/forwarding.ts";
import {
  fingerprintIdOf,
  fingerprintName,
  type GroupableReport,
  groupReports,
  quotaKeyOf,
  type ReportEntry,
  type ReportGroup,
  readGroupingContext,
} from "./grouping/group.ts";
import { createGroupingStore, createTallyStore, insertReportGroup, insertTally } from "./grouping/grouping-store.ts";
import { keepErrorsKnown } from "./grouping/known-errors.ts";
import { createReportAnalyser } from "./grouping/report-analysis.ts";
import { createIssueStore } from "./issues/issue-store.ts";
import { createIssues, type IssuesDeps } from "./issues/issues.ts";
import { type StartNoticesDeps, startNotices } from "./notices/notices.ts";
import { forwardingRoutes, issueRoutes, noticeRoutes } from "./routes.ts";
import { startUpkeep } from "./upkeep/upkeep.ts";
import { createUpkeepStore } from "./upkeep/upkeep-store.ts";

const rememberedIssuesMax = 10_000;

/**
 * Returns a function that tells whether an event is the first report of a key. For that event it stays true, because the event
 * is dispatched again after a failed write.
 */
function createFirstReportCheck(): (kind: string, event: string) => boolean {
  const firstEvents = new Map<string, string>();
  return (kind, event) => {
    const first = firstEvents.get(kind);
    if (first !== undefined) return first === event;
    firstEvents.set(kind, event);
    // Beyond the limit, the oldest key is forgotten: its next report counts as the first.
    if (firstEvents.size > rememberedIssuesMax) firstEvents.delete(firstEvents.keys().next().value ?? kind);
    return true;
  };
}

/** The first report of an issue in a run of the game. The recording slice decides whether it gets a clip. */
type ClipRequest = {
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

export type MonitorDeps = Pick<IssuesDeps, "now" | "sentBefore" | "sourcesOf" | "onChanged"> &
  Pick<StartNoticesDeps, "searchPath" | "gameName" | "say" | "onNoticesChanged"> &
  Pick<ForwardingDeps, "secrets" | "clipOf" | "fitClip"> & {
    readonly storage: Storage;
    /** Returns the statement that adds the state to the receipts of the events. */
    readonly stateReached: (
      events: readonly { readonly seq: number }[],
      state: ReceiptState,
      by: string,
      atMs: number,
      reason: MessageOrText | null,
    ) => Statement;
    /** Called before anything is written, because the replay buffer soon drops the seconds before the event. */
    readonly requestClip: (request: ClipRequest) => void;
  };

export type Monitor = {
  readonly kind: "monitor";
  /** Continues the tallies and forwarding queues that the previous run left. */
  load(): Promise<void>;
  /** To be asked before a report is stored, and before its sender is looked up. */
  readonly rateLimiter: Pick<RateLimiter, "countBySender" | "countOrAdmit">;
  /**
   * To be called when a switch changed. The next report of each fingerprint is then stored, so that it meets the new
   * switches.
   */
  onSwitchChanged(): void;
  /** To be called when clips have changed, because forwarding targets may get them. Cheap. */
  onClipsChanged(): void;
  /** Turns reports into statements. The caller commits them together with the monitor's cursor, then calls `committed`. */
  receive(entries: readonly ReportEntry[]): Promise<{ readonly statements: readonly Statement[]; committed(): void }>;
  readonly routes: readonly Route[];
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
};

export function createMonitor(needs: MonitorDeps): Monitor {
  const { storage, now, stateReached, requestClip, onChanged } = needs;
  const analyse = createReportAnalyser();
  const grouping = createGroupingStore(storage);
  const notices = startNotices(needs);
  const forwarding = createForwarding({
    ...needs,
    writeDecision: (...statements) => tallyCollector.between(() => storage.write(...statements)),
    onFailure: (error) => log.operationFailed("forwarding", error),
  });
  const notifyChanged = () => {
    notices.checkForNew();
    onChanged();
  };
  const rateLimiter = createRateLimiter({
    analyse,
    findKnown: grouping.knownIssues,
    async write(gathered) {
      await storage.writeDeferred(() => gathered().map(insertTally));
      tallyCollector.wake();
    },
  });
  const tallyCollector = createTallyCollector({
    store: createTallyStore(storage),
    write: storage.write,
    alsoWrite: forwarding.count,
    onCollected() {
      forwarding.onCommitted();
      notifyChanged();
    },
    onFailure: (error) => log.operationFailed("counts", error),
  });
  const upkeep = startUpkeep({
    ...storage,
    store: createUpkeepStore(storage),
    now,
    onFailure: log.operationFailed,
    onRemoved: rateLimiter.reset,
  });
  const issues = createIssues({
    ...needs,
    write: storage.write,
    store: createIssueStore(storage, now),
    analyse,
    onChanged() {
      rateLimiter.reset();
      onChanged();
    },
  });
  const isFirstReport = createFirstReportCheck();

  /** Requests the clip of the first report of a run. */
  const reportOf = ({ seq, sender = null, event }: ReportEntry): GroupableReport => {
    const { message = "", stackTrace = "" } = event.payload;
    const analysis = analyse(message, stackTrace);
    const { build = "" } = event.payload;
    const atMs = Date.parse(event.actsOn);
    const grouped = { seq, sender, event, build, atMs, quotaKey: quotaKeyOf(event), analysis };
    const clipRequested = isFirstReport(`${sender} ${fingerprintName(fingerprintIdOf(grouped))}`, event.id);
    if (clipRequested) requestClip({ event: event.id, seq, game: event.game, message, atMs });
    return { ...grouped, clipRequested };
  };

  return {
    kind: "monitor",
    async load() {
      await keepErrorsKnown({ store: grouping, analyse });
      await tallyCollector.load();
      await forwarding.load();
    },
    async receive(entries) {
      const reports = entries.map(reportOf);
      const groups = groupReports(reports, await readGroupingContext(reports, grouping));
      const ownIssueNames = new Set(groups.map(({ fingerprint }) => fingerprintName(fingerprint)));
      const overflowed = reports.map(nameAndQuotaKey).filter(({ name }) => !ownIssueNames.has(name));
      const statements = groups.flatMap((group) => {
        const { id, title } = group.issue;
        return [
          ...insertReportGroup(group),
          stateReached(group.entries, "grouped", "monitor", now(), message("issue.grouped", { issue: id, title })),
        ];
      });
      return {
        statements: [...statements, ...forwarding.count(groups)],
        committed() {
          upkeep.onReportsStored(groups.reduce((sum, { samples }) => sum + approximateBytes(samples), 0));
          rateLimiter.onGrouped(groups.map(groupedReportsOf), overflowed);
          forwarding.onCommitted();
          notifyChanged();
        },
      };
    },
    rateLimiter,
    onSwitchChanged: rateLimiter.reset,
    onClipsChanged: forwarding.onClipsChanged,
    routes: [...issueRoutes(issues), ...noticeRoutes(notices), ...forwardingRoutes(forwarding)],
    async stop() {
      await Promise.all([tallyCollector.stop(), upkeep.stop(), notices.stop(), forwarding.stop()]);
    },
  };
}

const nameAndQuotaKey = (report: GroupableReport) => ({
  name: fingerprintName(fingerprintIdOf(report)),
  quotaKey: report.quotaKey,
});
const groupedReportsOf = ({ fingerprint, countBefore, n, samples, entries }: ReportGroup) => ({
  fingerprint,
  count: countBefore + n,
  event: (samples.at(-1)?.report ?? entries.at(-1))?.event.id ?? "",
  build: entries.at(-1)?.event.payload.build ?? "",
  from: entries.map(({ event }) => event),
});

/** Estimates the stored bytes, to decide when upkeep runs. Upkeep reads the exact size from the database. */
const approximateBytes = (samples: readonly { readonly report: { readonly event: KitEvent } }[]) =>
  samples.reduce((sum, { report: { event } }) => sum + (event.payload.stackTrace?.length ?? 0) + 500, 0);
