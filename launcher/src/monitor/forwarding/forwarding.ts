// Forwards reports to the targets that a person added: a new issue at once, and once a minute how much an issue grew. Each
// message says how many reports it stands for. Without a target, it loads no library and runs nothing.
import type { ForwardKind, KitEvent } from "@kit/contract";
import { createSerialQueue } from "../../async.ts";
import { createOutbox } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { FingerprintId, ReportCount } from "../grouping/group.ts";
import { countForTargets, isAnythingUntold, queueGrowth, queueNews } from "./count-store.ts";
import { createReportQueueStore, createTargetStore, shrinkReportQueue } from "./forwarding-store.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { type PrecedingEvent, type QueuedReport, type Sender, scrubReport, type TargetCredentials } from "./report.ts";
import { createScrub, currentPerson, type Person } from "./scrub.ts";
import { createSentrySender } from "./sentry.ts";
import { createTargetQueue } from "./target-queue.ts";
import { createTargets, readTargetCredentials, type TargetSecrets, type Targets } from "./targets.ts";
import { createVideoSender } from "./video-sender.ts";
import { createVideos, type VideosDeps } from "./videos.ts";

/** Maximum queued messages and bytes of all targets together. Each target has an equal share. */
const rowsMax = 10_000;
const bytesMax = 64 * 1024 * 1024;
/** A queue over its limit shrinks to this share of it, so that not every further message causes a change. */
const shrinkTo = 0.95;
/** The sizes of the queues are checked after this many commits. */
const checkSizeAfter = 50;
const withinMs = 10_000;
/** How often a target is told how much its issues grew. */
const growthEveryMs = 60_000;
/** Minimum time between two attempts, so that no target gets more than two requests a second. A collector gets two each time. */
const attemptEveryMs: Readonly<Record<ForwardKind, number>> = { sentry: 500, otlp: 1_000 };
const precedingEventsMax = 20;
const precedingTextCharsMax = 200;

export type ForwardingDeps = {
  readonly storage: Pick<Storage, "read" | "readPage" | "write">;
  readonly secrets: TargetSecrets;
  readonly now: () => number;
  /** Returns the events that the same sender sent shortly before, newest first. */
  readonly sentBefore: (event: string) => Promise<readonly KitEvent[]>;
  /** Returns the clip of an error report. */
  readonly clipOf: VideosDeps["clipOf"];
  readonly fitClip: VideosDeps["fit"];
  readonly onFailure: (error: unknown) => void;
  /** Other limits, for tests. */
  readonly limits?: Partial<{ rowsMax: number; bytesMax: number; growthEveryMs: number; attemptEveryMs: number }>;
  /** Returns the names that must not leave this computer. Defaults to those of the account that runs the launcher. */
  readonly person?: () => Person;
};

export type Forwarding = {
  /** Reads the targets and continues their queues. */
  load(): Promise<void>;
  /** Returns the statements that count these reports for the targets. They must be committed together with the counts. */
  count(counts: readonly ReportCount[]): Statement[];
  /** To be called when the statements of `count` are committed. */
  onCommitted(): void;
  /** To be called when clips have changed. Cheap. */
  onClipsChanged(): void;
  readonly targets: Targets;
  readonly invitations: Invitations;
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
  let commitsSinceSizeCheck = 0;
  let growthTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const senders = new Map<string, Sender>();
  const videos = createVideos({
    ...needs,
    fit: needs.fitClip,
    async createSender(id) {
      const access = await readTargetCredentials(secrets, id);
      return access && createVideoSender(access, now);
    },
  });
  const limits = { rowsMax, bytesMax, growthEveryMs, ...needs.limits };
  let scrub: ReturnType<typeof createScrub> | undefined;

  const serialize = createSerialQueue();
  const createSender = async (kind: ForwardKind, access: TargetCredentials): Promise<Sender> => {
    if (kind === "sentry") return createSentrySender(access, now, withinMs);
    return (await import("./otlp.ts")).createOtlpSender(access, now, withinMs);
  };
  const prepareReport = async (report: QueuedReport, id: string, kind: ForwardKind) => {
    scrub ??= createScrub(person());
    const { earlierEvents, ...marks } = await reports.marks(id);
    // OpenTelemetry log records have no field for earlier events.
    const hasEarlier = earlierEvents && kind === "sentry" && report.source !== null && !report.stripped;
    const before = hasEarlier ? await needs.sentBefore(report.source) : [];
    return scrubReport(report, precedingEvents(before, report.message), scrub, marks);
  };
  const startQueue = (id: string, kind: ForwardKind) => {
    const createSenderOfTarget = async () => {
      const access = await readTargetCredentials(secrets, id);
      const sender = access && (await createSender(kind, access));
      if (sender !== undefined) senders.set(id, sender);
      return sender;
    };
    const prepare = (report: QueuedReport) => prepareReport(report, id, kind);
    const everyMs = needs.limits?.attemptEveryMs ?? attemptEveryMs[kind];
    const timing = { now, withinMs, attemptEveryMs: everyMs };
    const rest = { createSender: createSenderOfTarget, prepareReport: prepare, onConfirmed: videos.onChanged };
    outbox.start(id, createTargetQueue(id, { kind, store: reports, write, ...timing, ...rest }));
  };
  /** Reads the targets, and starts those of their queues that do not run yet. */
  const startQueues = async () => {
    const all = await store.all();
    enabledTargets = all.filter(({ enabled }) => enabled).map(({ id }) => id);
    for (const { id, kind, enabled, videos: hasVideos } of all) {
      startQueue(id, kind);
      if (enabled && hasVideos) videos.start(id);
    }
  };
  const shareOf = (whole: number) => Math.floor(whole / Math.max(1, enabledTargets?.length ?? 1));
  const shrinkOversizedQueues = async () => {
    commitsSinceSizeCheck = 0;
    const bytes = shareOf(limits.bytesMax);
    for (const id of enabledTargets ?? [])
      if ((await reports.queuedBytes(id)) > bytes) await write(shrinkReportQueue(id, bytes * shrinkTo));
  };
  const tellGrowth = async () => {
    for (const id of enabledTargets ?? []) await write(...queueGrowth(id, now(), shareOf(limits.rowsMax)));
    await shrinkOversizedQueues();
    outbox.wake();
    if (await isAnythingUntold(storage)) tellGrowthLater();
  };
  const tellGrowthLater = () => {
    if (isStopped) return;
    growthTimer ??= setTimeout(() => {
      growthTimer = undefined;
      void serialize(tellGrowth).catch((error: unknown) => {
        onFailure(error);
        tellGrowthLater();
      });
    }, limits.growthEveryMs).unref();
  };
  const onChanged = (id: string) =>
    serialize(async () => {
      await Promise.all([outbox.remove(id), videos.remove(id)]);
      senders.get(id)?.close();
      senders.delete(id);
      await startQueues();
      if (enabledTargets?.includes(id)) await tellGrowth();
    });
  const targets = createTargets({ store, secrets, write, now, createSender, onChanged, withinMs });

  return {
    load: () =>
      serialize(async () => {
        await startQueues();
        if (enabledTargets?.length !== 0) await tellGrowth();
      }),
    count(counts) {
      if (enabledTargets?.length === 0 || counts.length === 0) return [];
      const fingerprints: FingerprintId[] = counts.map(({ fingerprint }) => fingerprint);
      return [countForTargets(counts), ...queueNews(fingerprints, now(), shareOf(limits.rowsMax))];
    },
    onCommitted() {
      if (enabledTargets?.length === 0) return;
      outbox.wake();
      tellGrowthLater();
      commitsSinceSizeCheck += 1;
      if (commitsSinceSizeCheck >= checkSizeAfter) void serialize(shrinkOversizedQueues).catch(onFailure);
    },
    onClipsChanged: videos.onChanged,
    targets,
    invitations: createInvitations({ targets, now }),
    async stop() {
      isStopped = true;
      clearTimeout(growthTimer);
      await Promise.all([outbox.stop(), videos.stop(), serialize(async () => undefined)]);
      for (const sender of senders.values()) sender.close();
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
