// Forwards reports to the targets that a person added: a new issue at once, and once a minute how much an issue grew. Each
// message says how many reports it stands for. Without a target, it loads no library and runs nothing.
import type { ForwardKind, KitEvent } from "@kit/contract";
import { createSerialQueue } from "../../async.ts";
import { createOutbox } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { FingerprintId, ReportCount } from "../grouping/group.ts";
import {
  type ClipStates,
  countForTargets,
  isAnythingUntold,
  keepStarts,
  queueGrowth,
  queueNews,
  reportsWithClips,
} from "./count-store.ts";
import {
  createReportQueueStore,
  createTargetStore,
  type ReportQueueStore,
  shrinkReportQueue,
} from "./forwarding-store.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { type PrecedingEvent, type QueuedReport, type Sender, scrubReport, type TargetCredentials } from "./report.ts";
import { createScrub, currentPerson, type Person } from "./scrub.ts";
import { createSentrySender } from "./sentry.ts";
import type { TargetSecrets } from "./target-bucket.ts";
import { createTargetQueue } from "./target-queue.ts";
import { createTargetVideos } from "./target-videos.ts";
import { createTargets, readTargetCredentials, type Targets } from "./targets.ts";
import { uploadPartBytes } from "./video-upload.ts";
import { createVideos, type VideosDeps } from "./videos.ts";

/** Maximum queued messages and bytes of all targets together. Each target has an equal share. */
const rowsMax = 10_000;
const bytesMax = 64 * 1024 * 1024;
/** A queue over its limit shrinks to this share of it, so that not every further message causes a change. */
const shrinkTo = 0.95;
/** The sizes of the queues are checked after this many commits. */
const checkSizeAfter = 50;
const answerWithinMs = 10_000;
/** How often a target is told how much its issues grew. */
const growthEveryMs = 60_000;
/** A target gets at most two requests in two of these pauses. */
const pauseMs = 500;
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
  /** Writes what a person decided while no count is being moved, because a decision says which counts it covers. */
  readonly writeDecision: Storage["write"];
  /** Other limits, for tests. */
  readonly limits?: Partial<{
    rowsMax: number;
    bytesMax: number;
    growthEveryMs: number;
    pauseMs: number;
    partBytes: number;
    withinMs: number;
  }>;
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
  const { storage, secrets, now, onFailure } = needs;
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
  const usual = { rowsMax, bytesMax, growthEveryMs, pauseMs, partBytes: uploadPartBytes, withinMs: answerWithinMs };
  const limits = { ...usual, ...needs.limits };
  const { partBytes, withinMs } = limits;

  const serialize = createSerialQueue();
  const createSender = async (kind: ForwardKind, access: TargetCredentials, id: string): Promise<Sender> => {
    if (kind === "sentry") return createSentrySender(access, now, withinMs);
    const { createOtlpSender } = await import("./otlp.ts");
    return createOtlpSender(access, now, withinMs, (starts) => write(...keepStarts(id, starts)));
  };
  const prepareReport = createReportPreparation(needs, reports);
  const targetVideos = createTargetVideos({ ...needs, store, partBytes, createSender, prepareReport });
  const videos = createVideos({ ...needs, fit: needs.fitClip, ...targetVideos });
  const startQueue = (id: string, kind: ForwardKind) => {
    const createSenderOfTarget = async () => {
      const access = await readTargetCredentials(secrets, store, id);
      const sender = access && (await createSender(kind, access, id));
      if (sender !== undefined) senders.set(id, sender);
      return sender;
    };
    const prepare = (report: QueuedReport) => prepareReport(report, id, kind);
    const own = { kind, store: reports, write, now, withinMs, pauseMs: limits.pauseMs, onConfirmed: videos.onChanged };
    outbox.start(id, createTargetQueue(id, { ...own, createSender: createSenderOfTarget, prepareReport: prepare }));
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
    for (const id of enabledTargets ?? [])
      await write(...queueGrowth(id, await clipStatesOf(storage, id, needs.clipOf), now(), shareOf(limits.rowsMax)));
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
  /** When it resolves, no report and no video leaves any more for a target that was switched off or removed. */
  const onChanged = async (id: string) => {
    const end = () => Promise.all([outbox.remove(id), videos.remove(id)]);
    // At once: what is before it in the queue may look at clips, and begin the queues of other targets again.
    await end();
    await serialize(async () => {
      await end();
      senders.get(id)?.close();
      senders.delete(id);
      await startQueues();
      if (enabledTargets?.includes(id)) await tellGrowth();
    });
    await videos.abortAbandonedOf(id);
  };
  const own = { store, secrets, now, createSender, onChanged, stopUploads: videos.stopUploads, withinMs };
  const targets = createTargets({ ...own, write: needs.writeDecision });

  return {
    load: () =>
      serialize(async () => {
        await startQueues();
        videos.abortAbandoned();
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

/** Returns a function that makes a report of a target's queue ready to be sent. */
function createReportPreparation(
  { sentBefore, person = currentPerson }: Pick<ForwardingDeps, "sentBefore" | "person">,
  reports: ReportQueueStore,
) {
  let scrub: ReturnType<typeof createScrub> | undefined;
  return async (report: QueuedReport, id: string, kind: ForwardKind) => {
    scrub ??= createScrub(person());
    const { earlierEvents, ...marks } = await reports.marks(id);
    // OpenTelemetry log records have no field for earlier events.
    const hasEarlier = earlierEvents && kind === "sentry" && report.source !== null && !report.stripped;
    const before = hasEarlier ? await reports.leaveOutUnagreed(id, report.game, await sentBefore(report.source)) : [];
    return scrubReport(report, precedingEvents(before, report.message), scrub, marks);
  };
}

/** Returns the states of the clips that a target may get with the next messages about growth. */
async function clipStatesOf(
  storage: Pick<Storage, "read">,
  target: string,
  clipOf: VideosDeps["clipOf"],
): Promise<ClipStates> {
  const states: Record<string, ClipStates[string]> = {};
  for (const event of await reportsWithClips(storage, target)) {
    const clip = await clipOf(event);
    states[event] = clip.state === "pending" ? 0 : clip.state === "saved" && clip.kind === "clip" ? 1 : -1;
  }
  return states;
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
