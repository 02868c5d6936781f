// Sends reports over HTTP as OpenTelemetry logs, and their number as a sum, in the form that the official SDK gives them.

import { message } from "@kit/contract/messages";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { DataPoint, ResourceMetrics } from "@opentelemetry/sdk-metrics";
import { parseCollectorUrl } from "./address.ts";
import type { OutgoingReport, Sender, SendResult, TargetCredentials } from "./report.ts";
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
        attributes: attributesOf(report),
      });
    }
  }
  return records;
}

const hrTime = (ms: number): [number, number] => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];

/**
 * The reports of each fingerprint so far, as a monotonic sum. It is cumulative, so that a repeat changes nothing. Empty for tests.
 */
async function reportSums(reports: readonly OutgoingReport[], clockAheadMs: number): Promise<ResourceMetrics[]> {
  const { AggregationTemporality, DataPointType } = await import("@opentelemetry/sdk-metrics");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const told = reports.filter(({ isTest }) => !isTest);
  return byResource(told).map((same) => {
    const newest = new Map(same.map((report) => [`${report.version} ${report.key}`, report]));
    const dataPoints = [...newest.values()].map(
      ({ sinceMs, lastMs, total, key, type }): DataPoint<number> => ({
        startTime: hrTime(sinceMs + clockAheadMs),
        endTime: hrTime(lastMs + clockAheadMs),
        attributes: { "kit.fingerprint": key, "exception.type": type },
        value: total,
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

const attributesOf = (report: OutgoingReport) => ({
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
  "kit.reports.since": new Date(report.sinceMs).toISOString(),
  "kit.count": report.number,
  ...(report.stripped && { "kit.details": "left-out" }),
  "kit.news": report.isTest ? "test" : report.novelty,
  "kit.dialect": report.dialect,
});

const secretCharsMin = 6;

/** Even a successful answer may say that the server rejected some of the records. */
function verdictForLogs(answer: HttpAnswer): AnswerVerdict {
  const verdict = verdictForAnswer(answer);
  const { rejectedLogRecords, errorMessage } = verdict.outcome === "sent" ? partialSuccess(answer.text) : {};
  const rejected = Number(rejectedLogRecords ?? 0);
  if (!(rejected > 0)) return verdict;
  const reason = typeof errorMessage === "string" ? errorMessage.slice(0, 200) : "";
  const says =
    reason === ""
      ? message("target.reports_rejected", { count: rejected })
      : message("target.reports_rejected_because", { count: rejected, reason });
  return { outcome: "sent", rejected, says };
}

function partialSuccess(text: string): { rejectedLogRecords?: unknown; errorMessage?: unknown } {
  try {
    const said = JSON.parse(text) as { partialSuccess?: unknown } | null;
    return typeof said?.partialSuccess === "object" && said.partialSuccess !== null ? said.partialSuccess : {};
  } catch {
    // Many servers answer with an empty body.
    return {};
  }
}

/** A server with one of these answers takes no metrics. It gets logs only. */
const noMetricsStatuses: readonly number[] = [400, 404, 405, 415, 501];
const logsPath = /\/v1\/logs$/;

/** Throws KitError for an invalid collector address. */
export async function createOtlpSender(
  { address, headers, withoutTls = false, certificate }: TargetCredentials,
  now: () => number,
  withinMs: number,
): Promise<Sender> {
  const { url } = parseCollectorUrl(address, withoutTls);
  const { JsonLogsSerializer, JsonMetricsSerializer } = await import("@opentelemetry/otlp-transformer");
  const connection = await connectToServer({ url, withoutTls, certificate, withinMs, now });
  const secrets = Object.values(headers).filter(({ length }) => length >= secretCharsMin);
  let takesMetrics = logsPath.test(url);

  const post = (to: string, body: string, signal: AbortSignal) =>
    connection.post({
      url: to,
      headers: { ...headers, "content-type": "application/json", "user-agent": `${scope.name}/${scope.version}` },
      body,
      signal,
    });
  const resultOf = async (answer: HttpAnswer, verdict: AnswerVerdict, body: string) => {
    // OTLP knows only the header Retry-After, so other headers for rate limits are ignored.
    const asked = { ...answer, headers: { "retry-after": answer.headers["retry-after"] } };
    const notBeforeMs = (await readSentryRateLimits(asked, now()))("error");
    const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "<key>"), answer.text);
    return { verdict, notBeforeMs, status: answer.status, answer: shown, body };
  };
  /** Sends the sums before the records, because only the sums can be repeated without being added twice by some servers. */
  const sendSums = async (
    reports: readonly OutgoingReport[],
    signal: AbortSignal,
  ): Promise<{ readonly body: string; readonly failed?: SendResult }> => {
    const sums = await reportSums(reports, connection.clockAheadMs);
    if (sums.length === 0) return { body: "" };
    // The serializer takes one resource at a time.
    const parts = sums.map((one) =>
      JSON.parse(Buffer.from(JsonMetricsSerializer.serializeRequest(one) ?? "{}").toString()),
    );
    const resourceMetrics = parts.flatMap((part: { resourceMetrics?: unknown[] }) => part.resourceMetrics ?? []);
    const body = JSON.stringify({ resourceMetrics });
    const answer = await post(url.replace(logsPath, "/v1/metrics"), body, signal);
    const verdict = verdictForAnswer(answer);
    if (noMetricsStatuses.includes(answer.status)) takesMetrics = false;
    else if (verdict.outcome !== "sent") return { body, failed: await resultOf(answer, verdict, body) };
    return { body };
  };
  return {
    tellsDropped: false,
    close: connection.close,
    async send(reports, _, signal) {
      const sums = takesMetrics ? await sendSums(reports, signal) : { body: "" };
      if ("failed" in sums && sums.failed !== undefined) return sums.failed;
      const records = await logRecords(reports, connection.clockAheadMs);
      const body = Buffer.from(JsonLogsSerializer.serializeRequest(records) ?? "").toString();
      const answer = await post(url, body, signal);
      return resultOf(answer, verdictForLogs(answer), [sums.body, body].filter((sent) => sent !== "").join("\n"));
    },
  };
}
