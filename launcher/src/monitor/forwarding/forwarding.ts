// Forwards stored reports, with their counts, to the targets that a person added. Without a target, it loads no library and
// runs nothing.
import type { ForwardKind, KitEvent } from "@kit/contract";
import { createSerialQueue } from "../../async.ts";
import { createOutbox } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import { createReportQueueStore, createTargetStore, enqueueReports, shrinkReportQueue } from "./forwarding-store.ts";
import {
  type PrecedingEvent,
  type QueuedReport,
  type SendReports,
  scrubReport,
  type TargetCredentials,
} from "./report.ts";
import { createScrub, currentPerson, type Person } from "./scrub.ts";
import { createSentrySender } from "./sentry.ts";
import { createTargetQueue } from "./target-queue.ts";
import { createTargets, readTargetCredentials, type TargetSecrets, type Targets } from "./targets.ts";

/** Maximum queued reports of all targets together. Each target has an equal share. */
const rowsMax = 10_000;
const bytesMax = 64 * 1024 * 1024;
/** A queue over its limit shrinks to this share of it, so that not every further report causes a deletion. */
const shrinkTo = 0.95;
/** The sizes of the queues are checked after this many reports. */
const checkSizeAfter = 50;
const withinMs = 10_000;
const precedingEventsMax = 20;
const precedingTextCharsMax = 200;

export type ForwardingDeps = {
  readonly storage: Pick<Storage, "read" | "readPage" | "write">;
  readonly secrets: TargetSecrets;
  readonly now: () => number;
  /** Returns the events that the same sender sent shortly before, newest first. */
  readonly sentBefore: (event: string) => Promise<readonly KitEvent[]>;
  readonly onFailure: (error: unknown) => void;
  readonly rowsMax?: number;
  /** Returns the names that must not leave this computer. Defaults to those of the account that runs the launcher. */
  readonly person?: () => Person;
};

export type Forwarding = {
  /** Reads the targets and continues their queues. */
  load(): Promise<void>;
  /** Returns the statements that queue the reports of these events. They must be committed together with the reports. */
  enqueue(events: readonly string[]): Statement[];
  /** To be called when the statements of `enqueue` are committed. */
  onCommitted(): void;
  readonly targets: Targets;
  stop(): Promise<void>;
};

export function createForwarding(needs: ForwardingDeps): Forwarding {
  const { storage, secrets, now, person = currentPerson, onFailure } = needs;
  const { write } = storage;
  const store = createTargetStore(storage, now);
  const reports = createReportQueueStore(storage);
  const outbox = createOutbox({ table: "forward_target", storage, write, now, onFailure });
  /** Undefined until the targets were read. */
  let enabledTargets: readonly string[] | undefined;
  let reportsSinceSizeCheck = 0;
  let scrub: ReturnType<typeof createScrub> | undefined;

  const serialize = createSerialQueue();
  const createSender = async (kind: ForwardKind, access: TargetCredentials): Promise<SendReports> => {
    if (kind === "sentry") return createSentrySender(access, now, withinMs);
    return (await import("./otlp.ts")).createOtlpSender(access, now, withinMs);
  };
  const prepareReport = async (report: QueuedReport, kind: ForwardKind) => {
    scrub ??= createScrub(person());
    // OpenTelemetry log records have no field for earlier events.
    const before = kind === "sentry" ? await needs.sentBefore(report.event) : [];
    return scrubReport(report, precedingEvents(before, report.message), scrub);
  };
  const startQueue = (id: string, kind: ForwardKind) => {
    const createSenderOfTarget = async () => {
      const access = await readTargetCredentials(secrets, id);
      return access && createSender(kind, access);
    };
    const prepare = (report: QueuedReport) => prepareReport(report, kind);
    const rest = { createSender: createSenderOfTarget, prepareReport: prepare, withinMs };
    outbox.start(id, createTargetQueue(id, { kind, store: reports, write, now, ...rest }));
  };
  /** Reads the targets, and starts those of their queues that do not run yet. */
  const startQueues = async () => {
    const all = await store.all();
    enabledTargets = all.filter(({ enabled }) => enabled).map(({ id }) => id);
    for (const { id, kind } of all) startQueue(id, kind);
  };
  const shrinkOversizedQueues = async () => {
    reportsSinceSizeCheck = 0;
    const share = Math.max(1, enabledTargets?.length ?? 1);
    const rows = (needs.rowsMax ?? rowsMax) / share;
    const bytes = bytesMax / share;
    for (const id of enabledTargets ?? []) {
      const held = await reports.queueSize(id);
      if (held.rows > rows || held.bytes > bytes)
        await write(...shrinkReportQueue(id, rows * shrinkTo, bytes * shrinkTo));
    }
  };
  const onChanged = (id: string) => serialize(() => outbox.remove(id).then(startQueues));
  const targets = createTargets({ store, secrets, write, now, createSender, onChanged, withinMs });

  return {
    load: () => serialize(startQueues),
    enqueue(events) {
      if (enabledTargets?.length === 0 || events.length === 0) return [];
      reportsSinceSizeCheck += events.length;
      return [enqueueReports(events)];
    },
    onCommitted() {
      if (enabledTargets?.length === 0) return;
      outbox.wake();
      if (reportsSinceSizeCheck >= checkSizeAfter) void shrinkOversizedQueues().catch(onFailure);
    },
    targets,
    async stop() {
      await Promise.all([outbox.stop(), serialize(async () => undefined)]);
    },
  };
}

const firstLine = (text: string) => text.split("\n", 1)[0]?.slice(0, precedingTextCharsMax).toWellFormed() ?? "";

/** Returns the events before a report, oldest first. Leaves out events with the same text as the report. */
function precedingEvents(events: readonly KitEvent[], message: string): PrecedingEvent[] {
  const own = firstLine(message);
  return events
    .map(({ kind, eventId, payload, actsOn }) => ({
      atMs: Date.parse(actsOn),
      kind,
      text: firstLine(eventId ?? payload.message ?? ""),
    }))
    .filter(({ text }) => text !== own)
    .slice(0, precedingEventsMax)
    .reverse();
}
