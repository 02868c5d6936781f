// Tells the outbox how to forward reports to one target: prepares and sends the oldest ones, and records what came of them.
import type { ForwardKind } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { attemptOnce, type Destination, type OutboxItem } from "../../outbox/index.ts";
import type { Statement } from "../../storage/sql.ts";
import {
  countReportRefusals,
  dropReports,
  type ReportQueueStore,
  recordForwardedReports,
  recordReportedDrops,
  recordSentRequest,
  recordTargetError,
  stripReports,
} from "./forwarding-store.ts";
import { type OutgoingReport, type QueuedReport, reportsPerRequestMax, type Sender } from "./report.ts";
import type { AcceptedBatch } from "./server-connection.ts";
import { noAnswerMessage } from "./server-connection.ts";
import { delayVideos, noteConfirmed } from "./video-store.ts";

export type TargetQueueDeps = {
  readonly kind: ForwardKind;
  readonly store: ReportQueueStore;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** Resolves to undefined if the target has no stored credentials. */
  readonly createSender: () => Promise<Sender | undefined>;
  readonly prepareReport: (report: QueuedReport) => Promise<OutgoingReport>;
  readonly withinMs: number;
  /** Minimum time between two attempts. */
  readonly attemptEveryMs: number;
  /** Called when it is stored that the server confirmed reports. */
  readonly onConfirmed: () => void;
};

/** The reports of one request. */
type Batch = OutboxItem & { readonly reports: readonly QueuedReport[] };
/** `droppedTold` is how many dropped reports the request told of, and `body` what was sent. */
type Answered = Partial<AcceptedBatch> & { readonly droppedTold: number; readonly body: string };

export const targetCredentialsMissing = message("target.no_credentials");

export function createTargetQueue(id: string, needs: TargetQueueDeps): Destination<Batch, Sender, Answered> {
  const { kind, store, write, now, withinMs, attemptEveryMs } = needs;
  let size = reportsPerRequestMax[kind];
  let sender: Sender | undefined;
  let attemptedMs = Number.NEGATIVE_INFINITY;

  return {
    says: { missing: targetCredentialsMissing, unreadable: (problem) => message("target.key_not_read", { problem }) },
    // A report can be sent again without a time limit: it has the same id in every request, so the server drops duplicates.
    idempotentForMs: Number.POSITIVE_INFINITY,
    async next() {
      const reports = await store.next(id, size);
      return reports.length === 0 ? undefined : { reports, committedMs: null, failingMs: null };
    },
    async open() {
      sender ??= await needs.createSender();
      return sender;
    },
    async attempt({ reports }, to, stopSignal) {
      const waitMs = attemptedMs + attemptEveryMs - performance.now();
      if (waitMs > 0) return Math.ceil(waitMs);
      attemptedMs = performance.now();
      const outgoing = await Promise.all(reports.map(needs.prepareReport));
      const droppedTold = to.tellsDropped ? await store.dropsUntold(id) : 0;
      let isUnread = false;
      let sentBody = "";
      const result = await attemptOnce<AcceptedBatch>({
        async send(_, signal) {
          const { verdict, notBeforeMs, videosNotBeforeMs, status, body } = await to.send(
            outgoing,
            droppedTold,
            signal,
          );
          if (videosNotBeforeMs != null) await write(delayVideos(id, videosNotBeforeMs, "rate-limit"));
          isUnread = status === 400;
          sentBody = body;
          return { ...verdict, notBeforeMs, restUntilMs: notBeforeMs };
        },
        now,
        stopSignal,
        explain: (error) => noAnswerMessage(error, withinMs),
      });
      if (result.outcome === "halted") return 0;
      // A batch whose reports were all refused before counts as refused: Kit then sends half of it, at last a report alone
      // without its details. If that is refused too, Kit drops it, so that it does not block the others forever.
      const isRefused = result.outcome === "refused" || (isUnread && reports.every(({ refusals }) => refusals > 0));
      if (isRefused && reports.length > 1) {
        size = Math.ceil(reports.length / 2);
        return 0;
      }
      if (isRefused && reports.some(({ stripped }) => !stripped)) {
        await write(stripReports(reports.map(({ seq }) => seq)));
        return 0;
      }
      if (result.outcome === "sent") return { ...result, details: { ...result, droppedTold, body: sentBody } };
      if (isRefused) return { outcome: "refused", says: result.says, details: { droppedTold: 0, body: sentBody } };
      if (isUnread) await write(countReportRefusals(reports.map(({ seq }) => seq)));
      return result;
    },
    async record({ reports }, { outcome, details }, destination) {
      if (outcome !== "sent" && outcome !== "refused") return write(...destination);
      const seqs = reports.map(({ seq }) => seq);
      const request = {
        body: details?.body ?? "",
        games: [...new Set(reports.map(({ game }) => game))],
        messages: reports.length,
        reports: reports.reduce((sum, one) => sum + one.reports, 0),
        accepted: outcome === "sent",
      };
      const kept = recordSentRequest(id, request, now());
      if (outcome === "refused") return write(...dropReports(id, seqs), ...kept, ...destination);
      size = reportsPerRequestMax[kind];
      const { rejected = 0, says = null, droppedTold = 0 } = details ?? {};
      const fault = says === null ? [] : [recordTargetError(id, says, now())];
      await write(
        ...(kind === "sentry" ? noteConfirmed(id, seqs, now()) : []),
        ...recordForwardedReports(id, seqs, now(), rejectedReports(reports, rejected)),
        ...(droppedTold > 0 ? [recordReportedDrops(id, droppedTold)] : []),
        ...kept,
        ...destination,
        ...fault,
      );
      needs.onConfirmed();
    },
  };
}

/** The server does not say which messages it rejected, so Kit counts those with the most reports: it never claims too much. */
const rejectedReports = (reports: readonly QueuedReport[], rejected: number): number =>
  reports
    .map((one) => one.reports)
    .sort((a, b) => b - a)
    .slice(0, rejected)
    .reduce((sum, n) => sum + n, 0);
