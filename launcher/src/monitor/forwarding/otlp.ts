// Sends reports over HTTP as OpenTelemetry logs, and their number as a sum, in the form that the official SDK gives them.

import type { Message } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { DataPoint, ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { parseCollectorUrl } from "./address.ts";
import { type OutgoingReport, type Sender, type SendResult, type TargetCredentials, videoMembers } from "./report.ts";
import { readSentryRateLimits } from "./sentry.ts";
import { type AnswerVerdict, connectToServer, type HttpAnswer, verdictForAnswer } from "./server-connection.ts";

const scope = { name: "kit", version: "0.1.0" };

const resourceAttributes = ({ game, build, environment, installation }: OutgoingReport) => ({
  "service.name": game ?? "unsorted",
  ...(build !== "" && { "service.version": build }),
  ...(environment !== null && { "deployment.environment.name": environment }),
  ...(installation !== null && { "service.instance.id": installation }),
});

/** Reports with the same resource. */
const byResource = (reports: readonly OutgoingReport[]) => [
  ...Map.groupBy(reports, (report) => JSON.stringify(resourceAttributes(report))).values(),
];

/** Creates a log record for each report. Each build of each game is a resource of its own. */
async function logRecords(reports: readonly OutgoingReport[], clockAheadMs: number): Promise<ReadableLogRecord[]> {
  const { LoggerProvider } = await import("@opentelemetry/sdk-logs");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { SeverityNumber } = await import("@opentelemetry/api-logs");
  const records: ReadableLogRecord[] = [];
  const collect = {
    onEmit: (record: ReadableLogRecord) => void records.push(record),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  for (const same of byResource(reports)) {
    const resource = resourceFromAttributes(same[0] ? resourceAttributes(same[0]) : {});
    const logger = new LoggerProvider({ resource, processors: [collect] }).getLogger(scope.name, scope.version);
    for (const report of same) {
      const [severityNumber, severityText] = report.isTest
        ? [SeverityNumber.INFO, "INFO"]
        : [SeverityNumber.ERROR, "ERROR"];
      logger.emit({
        // A Date, because the SDK reads a small number as a time since the start of this process.
        timestamp: new Date(report.atMs + clockAheadMs),
        observedTimestamp: new Date(report.atMs + clockAheadMs),
        severityNumber,
        severityText,
        body: report.message,
        attributes: attributesOf(report, clockAheadMs),
      });
    }
  }
  return records;
}

const hrTime = (ms: number): [number, number] => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];

/**
 * When the sum of each series was zero, by the server's clock. It does not move when a clock is corrected: what the server was told once
 * stays, unless that is in its future.
 */
const startsOf = (reports: readonly OutgoingReport[], clockAheadMs: number, nowMs: number): Map<string, number> =>
  new Map(
    reports.map(({ series, seriesSinceMs, seriesStartMs }) => [
      series,
      Math.min(seriesStartMs ?? Math.round(seriesSinceMs + clockAheadMs), Math.round(nowMs + clockAheadMs)),
    ]),
  );

/**
 * The reports of each fingerprint so far, as a monotonic sum at `nowMs`. It is cumulative, so that a repeat changes nothing. Its time is not
 * that of a report: Prometheus refuses a value that is more than an hour old, and a second one for the same time.
 */
async function reportSums(
  told: readonly OutgoingReport[],
  starts: ReadonlyMap<string, number>,
  endMs: number,
): Promise<ResourceMetrics[]> {
  const { AggregationTemporality, DataPointType } = await import("@opentelemetry/sdk-metrics");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  return byResource(told).map((same) => {
    const newest = new Map(same.map((report) => [report.series, report]));
    const dataPoints = [...newest.values()].map(
      ({ total, series, seriesTold, key, type }): DataPoint<number> => ({
        startTime: hrTime(starts.get(series) ?? endMs),
        endTime: hrTime(endMs),
        // Without a name of its own, the sums of two computers would replace each other.
        attributes: { "kit.fingerprint": key, "exception.type": type, "kit.series": series },
        value: total - seriesTold,
      }),
    );
    return {
      resource: resourceFromAttributes(same[0] ? resourceAttributes(same[0]) : {}),
      scopeMetrics: [
        {
          scope,
          metrics: [
            {
              descriptor: { name: "kit.reports", description: "Error reports", unit: "{report}", valueType: 0 },
              aggregationTemporality: AggregationTemporality.CUMULATIVE,
              dataPointType: DataPointType.SUM,
              isMonotonic: true,
              dataPoints,
            },
          ],
        },
      ],
    };
  });
}

const attributesOf = (report: OutgoingReport, clockAheadMs: number) => ({
  // The id is the same in every attempt, so that the server can drop duplicates.
  "log.record.uid": report.event,
  "exception.type": report.type,
  "exception.message": report.message,
  ...(report.stack !== "" && { "exception.stacktrace": report.stack }),
  "kit.issue.id": report.issue,
  "kit.fingerprint": report.key,
  // The sum over all records of all computers is the number of reports.
  "kit.reports": report.reports,
  "kit.reports.total": report.total,
  "kit.reports.since": new Date(report.sinceMs + clockAheadMs).toISOString(),
  "kit.count": report.number,
  ...(report.stripped && { "kit.details": "left-out" }),
  "kit.news": report.isTest ? "test" : report.novelty,
  "kit.dialect": report.dialect,
  ...videoMembers(report, "kit.video."),
});

const secretCharsMin = 6;

/** Even a successful answer may say that the server rejected some of the records. */
function verdictForLogs(answer: HttpAnswer): AnswerVerdict {
  const verdict = verdictForAnswer(answer);
  const { rejectedLogRecords, errorMessage } = verdict.outcome === "sent" ? partialSuccess(answer.text) : {};
  const rejected = Number(rejectedLogRecords ?? 0);
  if (!(rejected > 0)) return verdict;
  const reason = reasonIn(errorMessage);
  const says =
    reason === ""
      ? message("target.reports_rejected", { count: rejected })
      : message("target.reports_rejected_because", { count: rejected, reason });
  return { outcome: "sent", rejected, says };
}

const reasonIn = (errorMessage: unknown) => (typeof errorMessage === "string" ? errorMessage.slice(0, 200) : "");

/** Says which sums a server that answered with success did not take; null if it took all. */
function sumsRejected({ text }: HttpAnswer): Message | null {
  const { rejectedDataPoints, errorMessage } = partialSuccess(text);
  const count = Number(rejectedDataPoints ?? 0);
  return count > 0 ? message("target.sums_rejected", { count, reason: reasonIn(errorMessage) }) : null;
}

type PartialSuccess = { rejectedLogRecords?: unknown; rejectedDataPoints?: unknown; errorMessage?: unknown };

function partialSuccess(text: string): PartialSuccess {
  try {
    const said = JSON.parse(text) as { partialSuccess?: unknown } | null;
    return typeof said?.partialSuccess === "object" && said.partialSuccess !== null ? said.partialSuccess : {};
  } catch {
    // Many servers answer with an empty body.
    return {};
  }
}

/** A server with one of these answers takes no metrics. It gets logs only, for this long. */
const noMetricsStatuses: readonly number[] = [400, 404, 405, 415, 501];
const logsOnlyMs = 3_600_000;
const logsPath = /\/v1\/logs$/;

/** Throws KitError for an invalid collector address. */
export async function createOtlpSender(
  { address, headers, withoutTls = false, certificate }: TargetCredentials,
  now: () => number,
  withinMs: number,
  /** Keeps when the sums of these series began, before the collector is told of it. */
  keepStarts: (starts: ReadonlyMap<string, number>) => Promise<void>,
): Promise<Sender> {
  const { url } = parseCollectorUrl(address, withoutTls);
  const { JsonLogsSerializer, JsonMetricsSerializer } = await import("@opentelemetry/otlp-transformer");
  const connection = await connectToServer({ url, withoutTls, certificate, withinMs, now });
  const secrets = Object.values(headers).filter(({ length }) => length >= secretCharsMin);
  const takesMetrics = logsPath.test(url);
  let logsOnlyUntilMs = Number.NEGATIVE_INFINITY;
  /** What is wrong with the sums. It does not keep the logs back. */
  let sumsSay: Message | null = null;

  const post = (to: string, body: string, signal: AbortSignal, onLeaves: (body: string) => void) =>
    connection.post({
      url: to,
      headers: { ...headers, "content-type": "application/json", "user-agent": `${scope.name}/${scope.version}` },
      body,
      signal,
      onLeaves: () => onLeaves(body),
    });
  const resultOf = async (answer: HttpAnswer, verdict: AnswerVerdict): Promise<SendResult> => {
    // OTLP knows only the header Retry-After, so other headers for rate limits are ignored.
    const asked = { ...answer, headers: { "retry-after": answer.headers["retry-after"] } };
    const notBeforeMs = (await readSentryRateLimits(asked, now()))("error");
    const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "<key>"), answer.text);
    return { verdict, notBeforeMs, status: answer.status, answer: shown };
  };
  /**
   * Sends the sums before the records, because only the sums can be repeated without being added twice by some servers. Returns the answer
   * if the server did not take them.
   */
  const sendSums = async (
    reports: readonly OutgoingReport[],
    signal: AbortSignal,
    onLeaves: (body: string) => void,
  ): Promise<SendResult | undefined> => {
    const told = reports.filter(({ isTest, video }) => !isTest && video === null);
    if (told.length === 0) return undefined;
    const clockAheadMs = await connection.clockAheadMs(signal);
    const nowMs = now();
    const starts = startsOf(told, clockAheadMs, nowMs);
    if (told.some(({ seriesStartMs }) => seriesStartMs === null)) await keepStarts(starts);
    const sums = await reportSums(told, starts, nowMs + clockAheadMs);
    // The serializer takes one resource at a time.
    const parts = sums.map((one) =>
      JSON.parse(Buffer.from(JsonMetricsSerializer.serializeRequest(one) ?? "{}").toString()),
    );
    const resourceMetrics = parts.flatMap((part: { resourceMetrics?: unknown[] }) => part.resourceMetrics ?? []);
    const body = JSON.stringify({ resourceMetrics });
    const answer = await post(url.replace(logsPath, "/v1/metrics"), body, signal, onLeaves);
    const verdict = verdictForAnswer(answer);
    const isRefused = noMetricsStatuses.includes(answer.status);
    if (!isRefused && verdict.outcome !== "sent") return resultOf(answer, verdict);
    if (isRefused) logsOnlyUntilMs = now() + logsOnlyMs;
    sumsSay = isRefused ? message("target.logs_only", { status: answer.status }) : sumsRejected(answer);
    return undefined;
  };
  return {
    tellsDropped: false,
    get requests() {
      return connection.requests;
    },
    close: connection.close,
    async send(reports, _, signal, onLeaves) {
      const hasSums = takesMetrics && now() >= logsOnlyUntilMs;
      const failed = hasSums ? await sendSums(reports, signal, onLeaves) : undefined;
      if (failed !== undefined) return failed;
      const records = await logRecords(reports, await connection.clockAheadMs(signal));
      const body = Buffer.from(JsonLogsSerializer.serializeRequest(records) ?? "").toString();
      const answer = await post(url, body, signal, onLeaves);
      const verdict = verdictForLogs(answer);
      const isSaid = verdict.outcome === "sent" && !reports.every(({ isTest }) => isTest);
      return resultOf(answer, isSaid ? { ...verdict, says: verdict.says ?? sumsSay } : verdict);
    },
  };
}
