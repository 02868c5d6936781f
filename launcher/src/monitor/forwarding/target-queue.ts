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
import {
  type Dropped,
  nothingDropped,
  type OutgoingReport,
  type QueuedReport,
  reportsPerRequestMax,
  type Sender,
} from "./report.ts";
import { type AcceptedBatch, noAnswerMessage } from "./server-connection.ts";
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
  /** At most two requests arrive in two pauses. */
  readonly pauseMs: number;
  /** Called when it is stored that the server confirmed reports. */
  readonly onConfirmed: () => void;
};

/** The reports of one request. */
type Batch = OutboxItem & { readonly reports: readonly QueuedReport[] };
/** `droppedTold` is what was dropped that the request told of, and `left` what left this computer. */
type Answered = Partial<AcceptedBatch> & { readonly droppedTold: Dropped; readonly left: readonly Statement[] };

export const targetCredentialsMissing = message("target.no_credentials");

export function createTargetQueue(id: string, needs: TargetQueueDeps): Destination<Batch, Sender, Answered> {
  const { kind, store, write, now, withinMs, pauseMs } = needs;
  let size = reportsPerRequestMax[kind];
  let sender: Sender | undefined;
  const pace = createRequestPace(pauseMs);

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
      const waitMs = pace.waitMs(performance.now());
      if (waitMs > 0) return waitMs;
      const sentBefore = to.requests;
      const outgoing = await Promise.all(reports.map(needs.prepareReport));
      const droppedTold = to.tellsDropped ? await store.dropsUntold(id) : nothingDropped;
      let isUnread = false;
      const bodies: string[] = [];
      const result = await attemptOnce<AcceptedBatch>({
        async send(_, signal) {
          const onLeaves = (body: string) => void bodies.push(body);
          const sent = await to.send(outgoing, droppedTold, signal, onLeaves);
          const { verdict, notBeforeMs: restUntilMs, videosNotBeforeMs, status } = sent;
          if (videosNotBeforeMs != null) await write(delayVideos(id, videosNotBeforeMs, "rate-limit"));
          isUnread = status === 400;
          return { ...verdict, notBeforeMs: restUntilMs, restUntilMs };
        },
        now,
        stopSignal,
        explain: (error) => noAnswerMessage(error, withinMs),
      });
      const sentNow = to.requests - sentBefore;
      // A collector may get sums again after a while of records alone, so each attempt counts as both.
      pace.note(kind === "otlp" && sentNow > 0 ? Math.max(2, sentNow) : sentNow, performance.now());
      const left =
        bodies.length === 0 ? [] : requestStatements(id, reports, bodies.join("\n"), result.outcome === "sent", now());
      // Its repeat is listed too, so a list that cannot be written now stops nothing.
      const listNow = () => (left.length === 0 ? undefined : write(...left).catch(() => undefined));
      if (result.outcome === "halted") {
        await listNow();
        return 0;
      }
      // Kit halves a refused batch until it finds the report that the target refuses. It sends that one again without its
      // details, and then drops it, so that it does not block the others forever.
      const isRefused = result.outcome === "refused" || (isUnread && reports.every(({ refusals }) => refusals > 0));
      if (isRefused && reports.length > 1) {
        size = Math.ceil(reports.length / 2);
        await listNow();
        return 0;
      }
      if (isRefused && reports.some(({ stripped }) => !stripped)) {
        await write(stripReports(reports.map(({ seq }) => seq)), ...left);
        return 0;
      }
      if (result.outcome === "sent") return { ...result, details: { ...result, droppedTold, left } };
      if (isRefused) return { outcome: "refused", says: result.says, details: { droppedTold: nothingDropped, left } };
      if (isUnread) await write(countReportRefusals(reports.map(({ seq }) => seq)));
      await listNow();
      return result;
    },
    async record({ reports }, { outcome, details }, destination) {
      const { rejected = 0, says = null, droppedTold = nothingDropped, left: kept = [] } = details ?? {};
      if (outcome !== "sent" && outcome !== "refused") return write(...destination);
      const seqs = reports.map(({ seq }) => seq);
      if (outcome === "refused") return write(...dropReports(id, seqs), ...kept, ...destination);
      size = reportsPerRequestMax[kind];
      const fault = says === null ? [] : [recordTargetError(id, says, now())];
      await write(
        ...noteConfirmed(id, seqs, now()),
        ...recordForwardedReports(id, seqs, now(), rejectedReports(reports, rejected)),
        ...recordReportedDrops(id, droppedTold),
        ...kept,
        ...destination,
        ...fault,
      );
      needs.onConfirmed();
    },
  };
}

const requestStatements = (
  id: string,
  reports: readonly QueuedReport[],
  body: string,
  accepted: boolean,
  atMs: number,
): Statement[] => {
  const games = [...new Set(reports.map(({ game }) => game))];
  const stated = reports.reduce((sum, one) => sum + one.reports, 0);
  return recordSentRequest(id, { body, games, messages: reports.length, reports: stated, accepted }, atMs);
};

/** The server does not say which messages it rejected, so Kit counts those with the most reports: it never claims too much. */
const rejectedReports = (reports: readonly QueuedReport[], rejected: number): number =>
  reports
    .map((one) => one.reports)
    .sort((a, b) => b - a)
    .slice(0, rejected)
    .reduce((sum, n) => sum + n, 0);

type RequestPace = {
  waitMs(nowMs: number): number;
  /** Notes that an attempt ended, and how many requests it sent. */
  note(requests: number, nowMs: number): void;
};

/**
 * Decides when the next request to a target may begin, so that at most two arrive within two pauses (a second), however long the answers
 * take. A request begins two pauses after the answer to the last request but one: three requests then arrive over more than two pauses.
 * Waiting a pause after every answer would guarantee the same, but add the time of each answer.
 */
export function createRequestPace(pauseMs: number): RequestPace {
  let lastMs = Number.NEGATIVE_INFINITY;
  let lastButOneMs = Number.NEGATIVE_INFINITY;
  return {
    waitMs: (nowMs) => Math.max(0, Math.ceil(lastButOneMs + 2 * pauseMs - nowMs)),
    note(requests, nowMs) {
      if (requests === 0) return;
      // An attempt with several requests, for example for logs and sums, is likely to be followed by another one like it.
      lastButOneMs = requests === 1 ? lastMs : nowMs + (requests - 2) * pauseMs;
      lastMs = Math.max(nowMs, lastButOneMs);
    },
  };
}
