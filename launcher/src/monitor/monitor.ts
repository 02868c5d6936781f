// The monitor slice: error reports in, issues and receipts out. What it writes is committed with its place in the journal,
// so that every report is counted once, whatever ends the launcher.
import type { KitEvent, ReceiptState } from "@kit/contract";
import type { Route } from "../http/route.ts";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { createCollecting } from "./flood/collecting.ts";
import { createGate, type Gate } from "./flood/limiter.ts";
import { createTallyStore, tallied } from "./flood/tally-store.ts";
import { createForwarding, type ForwardingNeeds } from "./forwarding/forwarding.ts";
import { type Entry, type Group, groupReports, identityOf, laneOf, nameOf, type Report } from "./grouping/group.ts";
import { createGroupingStore, grouped } from "./grouping/grouping-store.ts";
import { readKnownIssues } from "./grouping/known-issues.ts";
import { createRecogniser } from "./grouping/recognise.ts";
import { createIssueStore } from "./issue-store.ts";
import { createIssues, type IssuesNeeds } from "./issues.ts";
import { type NoticesStart, startNotices } from "./notices/start.ts";
import { issueRoutes } from "./routes.ts";
import { startUpkeep } from "./upkeep.ts";
import { createUpkeepStore } from "./upkeep-store.ts";

// Tells the first report of each kind in a session.

const kindsMax = 10_000;

/** True for the first event of a kind, as often as that event comes: it is handed over again after a failed write. */
function createFirsts(): (kind: string, event: string) => boolean {
  const firsts = new Map<string, string>();
  return (kind, event) => {
    const first = firsts.get(kind);
    if (first !== undefined) return first === event;
    firsts.set(kind, event);
    // Beyond the bound the oldest kind counts as new again.
    if (firsts.size > kindsMax) firsts.delete(firsts.keys().next().value ?? kind);
    return true;
  };
}

/** A report that may be worth a clip; whoever is asked decides. */
type ClipWish = {
  readonly event: string;
  readonly seq: number;
  readonly game: string | null;
  readonly message: string;
  readonly atMs: number;
};

export type MonitorNeeds = Pick<IssuesNeeds, "now" | "sentBefore" | "sourcesOf" | "onChanged"> &
  Pick<NoticesStart, "searchPath" | "onNotices"> &
  Pick<ForwardingNeeds, "secrets"> & {
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
  /** Goes on with what was counted, and with what waits to be sent on. */
  load(): Promise<void>;
  /** To be asked before a report goes into the journal, and before who sent it is looked for; see Gate. */
  readonly gate: Pick<Gate, "countAlike" | "countOnly">;
  /** A switch is another now: what comes next is looked at anew. */
  switched(): void;
  /** Idempotent by event id: the statements are committed together with its place in the journal, then `committed` is called. */
  receive(entries: readonly Entry[]): Promise<{ readonly statements: readonly Statement[]; committed(): void }>;
  readonly routes: readonly Route[];
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
};

export function createMonitor(needs: MonitorNeeds): Monitor {
  const { storage, now, stateReached, requestClip, onChanged } = needs;
  const recognise = createRecogniser();
  const grouping = createGroupingStore(storage);
  const notices = startNotices(needs);
  const forwarding = createForwarding({ ...needs, onFailure: (error) => log.notKept("forwarding", error) });
  const changed = () => {
    notices.look();
    onChanged();
  };
  const gate = createGate({
    recognise,
    known: grouping.known,
    async write(gathered) {
      await storage.writeGathered(() => gathered().map(tallied));
      collecting.wake();
    },
  });
  const collecting = createCollecting({
    store: createTallyStore(storage),
    write: storage.write,
    onCollected: changed,
    onFailure: (error) => log.notKept("counts", error),
  });
  const upkeep = startUpkeep({
    ...storage,
    store: createUpkeepStore(storage),
    now,
    onFailure: log.notKept,
    onRemoved: gate.forget,
  });
  const issues = createIssues({
    ...needs,
    write: storage.write,
    store: createIssueStore(storage, now),
    recognise,
    onChanged() {
      gate.forget();
      onChanged();
    },
  });
  const isFirst = createFirsts();

  const reportOf = ({ seq, sender = null, event }: Entry): Report => {
    const { message = "", stackTrace = "" } = event.payload;
    const recognised = recognise(message, stackTrace);
    return { seq, sender, event, atMs: Date.parse(event.actsOn), lane: laneOf(event), recognised };
  };
  const askForClip = (report: Report) => {
    const { seq, sender, event, atMs } = report;
    if (!isFirst(`${sender} ${nameOf(identityOf(report))}`, event.id)) return;
    requestClip({ event: event.id, seq, game: event.game, message: event.payload.message ?? "", atMs });
  };

  return {
    kind: "monitor",
    async load() {
      await collecting.load();
      await forwarding.load();
    },
    async receive(entries) {
      const reports = entries.map(reportOf);
      for (const report of reports) askForClip(report);
      const groups = groupReports(reports, await readKnownIssues(reports, grouping));
      const told = new Set(groups.map(({ identity }) => nameOf(identity)));
      const turnedAway = reports.map(nameAndLane).filter(({ name }) => !told.has(name));
      const kept = groups.flatMap(({ samples }) => samples.map(({ report }) => report.event.id));
      const written = groups.flatMap((group) => {
        const { id, title } = group.issue;
        return [...grouped(group), stateReached(group.entries, "grouped", "monitor", now(), `issue ${id}: ${title}`)];
      });
      return {
        statements: [...written, ...forwarding.forwarded(kept)],
        committed() {
          upkeep.stored(groups.reduce((sum, { samples }) => sum + bytesOf(samples), 0));
          gate.met(groups.map(metOf), turnedAway);
          forwarding.committed();
          changed();
        },
      };
    },
    gate,
    switched: gate.forget,
    routes: [...issueRoutes(issues), ...notices.routes, ...forwarding.routes],
    async stop() {
      await Promise.all([collecting.stop(), upkeep.stop(), notices.stop(), forwarding.stop()]);
    },
  };
}

const nameAndLane = (report: Report) => ({ name: nameOf(identityOf(report)), lane: report.lane });
const metOf = ({ identity, before, n, samples, entries }: Group) => ({
  identity,
  count: before + n,
  event: (samples.at(-1)?.report ?? entries.at(-1))?.event.id ?? "",
  from: entries.map(({ event }) => event),
});

/** About; what is exact is asked of the database. */
const bytesOf = (samples: readonly { readonly report: { readonly event: KitEvent } }[]) =>
  samples.reduce((sum, { report: { event } }) => sum + (event.payload.stackTrace?.length ?? 0) + 500, 0);
