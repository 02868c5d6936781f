// Sends reports as OpenTelemetry logs over HTTP with the official SDK.
import { message } from "@kit/contract/messages";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { parseCollectorUrl } from "../address.ts";
import type { HttpAnswer } from "../post-once.ts";
import type { OutgoingReport, SendReports, TargetCredentials } from "../report.ts";
import { sentryRateLimitEnd } from "../sentry/sentry.ts";
import { type AnswerVerdict, verdictForAnswer } from "../verdict.ts";
import { watchSingleRequest } from "./single-request.ts";

const scope = { name: "kit", version: "0.1.0" };

/** Creates a log record for each report. Each game is a resource of its own. */
async function logRecords(reports: readonly OutgoingReport[]): Promise<ReadableLogRecord[]> {
  const { LoggerProvider } = await import("@opentelemetry/sdk-logs");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { SeverityNumber } = await import("@opentelemetry/api-logs");
  const records: ReadableLogRecord[] = [];
  const collect = {
    onEmit: (record: ReadableLogRecord) => void records.push(record),
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
  const byGame = Map.groupBy(reports, ({ game }) => game ?? "unsorted");
  for (const [game, ofGame] of byGame) {
    const resource = resourceFromAttributes({ "service.name": game });
    const logger = new LoggerProvider({ resource, processors: [collect] }).getLogger(scope.name, scope.version);
    for (const report of ofGame) {
      const [severityNumber, severityText] = report.isTest
        ? [SeverityNumber.INFO, "INFO"]
        : [SeverityNumber.ERROR, "ERROR"];
      logger.emit({
        // A Date, because the SDK reads a small number as a time since the start of this process.
        timestamp: new Date(report.atMs),
        observedTimestamp: new Date(report.atMs),
        severityNumber,
        severityText,
        body: report.message,
        attributes: attributesOf(report),
      });
    }
  }
  return records;
}

const attributesOf = (report: OutgoingReport) => ({
  // The id is the same in every attempt, so that the server can drop duplicates.
  "log.record.uid": report.event,
  "exception.type": report.type,
  "exception.message": report.message,
  ...(report.stack !== "" && { "exception.stacktrace": report.stack }),
  "kit.issue.id": report.issue,
  "kit.fingerprint": report.key,
  "kit.count": report.number,
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

/** Throws KitError for an invalid collector address. */
export async function createOtlpSender(
  { address, headers }: TargetCredentials,
  now: () => number,
  withinMs: number,
): Promise<SendReports> {
  const { url } = parseCollectorUrl(address);
  const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-http");
  const secrets = Object.values(headers).filter(({ length }) => length >= secretCharsMin);
  return async (reports, signal) => {
    const records = await logRecords(reports);
    using one = await watchSingleRequest(url, signal, withinMs);
    const exporter = new OTLPLogExporter({
      url,
      headers: { ...headers },
      timeoutMillis: withinMs,
      concurrencyLimit: 1,
      httpAgentOptions: () => one.agent,
    });
    exporter.export(records, () => undefined);
    const answer = await one.answer;
    // OTLP knows only the header Retry-After, so other headers for rate limits are ignored.
    const notBeforeMs = await sentryRateLimitEnd(
      { ...answer, headers: { "retry-after": answer.headers["retry-after"] } },
      now(),
    );
    const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "<key>"), answer.text);
    return { verdict: verdictForLogs(answer), notBeforeMs, status: answer.status, answer: shown };
  };
}
