// The monitor slice: error reports in, issues and receipts out. What it writes is committed with its place in the journal,
// so that every report is counted once, whatever ends the launcher.
import type { KitEvent, ReceiptState } from "@kit/contract";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createFirsts } from "./firsts.ts";
import { type Entry, groupReports, identityOf, laneOf, nameOf, overflowOf, type Report } from "./grouping/group.ts";
import { createGroupingStore, grouped } from "./grouping/grouping-store.ts";
import { createRecogniser } from "./grouping/recognise.ts";
import { createIssueStore } from "./issue-store.ts";
import { createIssues, type IssuesNeeds } from "./issues.ts";
import { issueRoutes } from "./routes.ts";
import { startUpkeep } from "./upkeep.ts";
import { createUpkeepStore } from "./upkeep-store.ts";

/** A report that may be worth a clip; whoever is asked decides. */
type ClipWish = {
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

export type MonitorNeeds = Pick<IssuesNeeds, "now" | "sentBefore" | "onChanged"> & {
  readonly storage: Storage;
  /** States for the receipts of events. */
  readonly stateReached: (
    events: readonly { readonly seq: number }[],
    state: ReceiptState,
    by: string,
    atMs: number,
    reason: string | null,
  ) => Statement;
  /** Asked at once, before anything is written: the footage of the seconds before is not held for ever. */
  readonly requestClip: (wish: ClipWish) => void;
};

export type Monitor = {
  readonly kind: "monitor";
  /** Idempotent by event id: what it returns is committed together with its place in the journal. */
  receive(entries: readonly Entry[]): Promise<Statement[]>;
  /** What `receive` returned last is durable. */
  committed(): void;
  readonly routes: readonly Route[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function createMonitor(needs: MonitorNeeds): Monitor {
  const { storage, now, stateReached, requestClip, onChanged } = needs;
  const recognise = createRecogniser();
  const grouping = createGroupingStore(storage);
  const upkeep = startUpkeep({ ...storage, store: createUpkeepStore(storage), now, onFailure: log.notKept });
  const issues = createIssues({ ...needs, write: storage.write, store: createIssueStore(storage, now), recognise });
  const isFirst = createFirsts();
  let uncommittedBytes = 0;

  const reportOf = ({ seq, event }: Entry): Report => {
    const { message = "", stackTrace = "" } = event.payload;
    const recognised = recognise(message, stackTrace);
    return { seq, event, atMs: Date.parse(event.actsOn), lane: laneOf(event), recognised };
  };
  const askForClip = (report: Report) => {
    const { seq, event, atMs } = report;
    if (!isFirst(nameOf(identityOf(report)), event.id)) return;
    requestClip({ event: event.id, seq, game: event.game, message: event.payload.message ?? "", atMs });
  };
  const standingOf = async (reports: readonly Report[]) => {
    const identities = reports.flatMap((report) => [identityOf(report), overflowOf(report)]);
    const distinct = new Map(identities.map((identity) => [nameOf(identity), identity]));
    const known = await grouping.known([...distinct.values()]);
    const strangers = reports.filter((report) => !known.has(nameOf(identityOf(report))));
    // Each lane as it was at its first one.
    const firsts = new Map<string, Report>();
    for (const report of strangers) if (!firsts.has(report.lane)) firsts.set(report.lane, report);
    const asked = [...firsts].map(async ([lane, { atMs }]) => [lane, await grouping.crowd(lane, atMs)] as const);
    return { known, crowds: new Map(await Promise.all(asked)) };
  };

  return {
    kind: "monitor",
    async receive(entries) {
      const reports = entries.map(reportOf);
      for (const report of reports) askForClip(report);
      const groups = groupReports(reports, await standingOf(reports));
      uncommittedBytes = groups.reduce((sum, { samples }) => sum + bytesOf(samples), 0);
      return groups.flatMap((group) => {
        const { id, title } = group.issue;
        return [...grouped(group), stateReached(group.entries, "grouped", "monitor", now(), `issue ${id}: ${title}`)];
      });
    },
    committed() {
      upkeep.stored(uncommittedBytes);
      onChanged();
    },
    routes: issueRoutes(issues),
    stop: upkeep.stop,
  };
}

/** About; what is exact is asked of the database. */
const bytesOf = (samples: readonly { readonly report: { readonly event: KitEvent } }[]) =>
  samples.reduce((sum, { report: { event } }) => sum + (event.payload.stackTrace?.length ?? 0) + 500, 0);
