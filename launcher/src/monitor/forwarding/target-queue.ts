// The queue of one forwarding target: sends the oldest reports first, one request at a time, and obeys the server's rate limits.
import type { ForwardKind } from "@kit/contract";
import { type StepLoop, startStepLoop } from "../../async/step-loop.ts";
import { backoffMs } from "../../outbound/backoff.ts";
import type { Statement } from "../../storage/sql.ts";
import { failureMessage } from "./post-once.ts";
import { batchSize, type OutgoingReport, type QueuedReport, type Send, type SendResult } from "./report.ts";
import { countRefusal, dropReports, type ReportQueueStore, recordDelivery } from "./report-queue-store.ts";
import { delayTarget, recordTargetError, stopTarget } from "./target-store.ts";

/** Maximum delay. A longer one is shortened to it. */
const delayMaxMs = 86_400_000;

export type TargetQueueDeps = {
  readonly id: string;
  readonly kind: ForwardKind;
  /** Nothing is sent before this time, which is stored across restarts. */
  readonly notBeforeMs: number;
  readonly store: ReportQueueStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Resolves to undefined if the target has no stored credentials. */
  readonly createSender: () => Promise<Send | undefined>;
  readonly prepareReport: (report: QueuedReport) => Promise<OutgoingReport>;
  readonly onFailure: (error: unknown) => void;
  readonly withinMs: number;
};

/** Stopping aborts the running request. The next start sends its reports again. */
export type TargetQueue = Pick<StepLoop, "wake" | "stop">;

export const credentialsMissing = "The address and the key are missing. Enter them again, or delete the target.";

export function startTargetQueue(needs: TargetQueueDeps): TargetQueue {
  const { id, kind, store, write, now } = needs;
  let { notBeforeMs } = needs;
  let failures = 0;
  let size = batchSize[kind];
  let send: Send | undefined;
  let isStopped = false;

  const stopWithReason = async (why: string) => {
    await write(stopTarget(id, why, now()));
    isStopped = true;
  };
  const delayUntil = (untilMs: number, because: "rate-limit" | "failure") => {
    notBeforeMs = Math.min(untilMs, now() + delayMaxMs);
    return delayTarget(id, { untilMs: notBeforeMs, because });
  };
  const retryLater = async (says: string, untilMs: number | null) => {
    failures += 1;
    const waiting =
      untilMs === null ? delayUntil(now() + backoffMs(failures), "failure") : delayUntil(untilMs, "rate-limit");
    await write(recordTargetError(id, says, now()), waiting);
  };
  const dropOrSplit = async (seqs: readonly number[], says: string) => {
    if (seqs.length > 1) size = Math.ceil(seqs.length / 2);
    else await write(...dropReports(id, seqs), recordTargetError(id, says, now()));
  };
  const recordResult = async (
    reports: readonly QueuedReport[],
    { verdict, notBeforeMs: untilMs, status }: SendResult,
  ) => {
    const seqs = reports.map(({ seq }) => seq);
    const limit = untilMs === null ? [] : [delayUntil(untilMs, "rate-limit")];
    if (verdict.outcome === "later") return retryLater(verdict.says, untilMs);
    if (verdict.outcome === "unreadable") return dropOrSplit(seqs, verdict.says);
    if (verdict.outcome === "stopped") {
      // A report that was refused twice is dropped, so that it does not block the others forever.
      if (status === 400 && reports.every(({ refusals }) => refusals > 0)) return dropOrSplit(seqs, verdict.says);
      if (status === 400) await write(countRefusal(seqs));
      return stopWithReason(verdict.says);
    }
    failures = 0;
    size = batchSize[kind];
    const rejected = verdict.outcome === "partly" ? verdict.rejected : 0;
    const fault = verdict.outcome === "partly" ? [recordTargetError(id, verdict.says, now())] : [];
    await write(...recordDelivery(id, seqs, now(), Math.min(rejected, seqs.length)), ...fault, ...limit);
  };
  const step = async (stopSignal: AbortSignal): Promise<number | null> => {
    if (isStopped) return null;
    if (notBeforeMs > now()) return notBeforeMs - now();
    const reports = await store.next(id, size);
    if (reports.length === 0) return null;
    try {
      send ??= await needs.createSender();
    } catch (error) {
      await retryLater(`The key cannot be read. ${(error as Error).message}`, null);
      return 0;
    }
    if (send === undefined) {
      await stopWithReason(credentialsMissing);
      return 0;
    }
    const result = await send(await Promise.all(reports.map(needs.prepareReport)), stopSignal).catch(
      (error: unknown) => (stopSignal.aborted ? undefined : failureMessage(error, needs.withinMs)),
    );
    if (typeof result === "string") await retryLater(result, null);
    else if (result !== undefined) await recordResult(reports, result);
    return 0;
  };
  return startStepLoop({ step, onFailure: needs.onFailure });
}
