// Sends reports as OpenTelemetry logs over HTTP, by the official exporter.
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { readEndpoint } from "../address.ts";
import type { Answer } from "../post.ts";
import type { Access, OutgoingReport, Send } from "../report.ts";
import { limitedUntil } from "../sentry/sentry.ts";
import { type Verdict, verdictOn } from "../verdict.ts";
import { startOneTry } from "./one-try.ts";

// Reports as OpenTelemetry log records, by the official SDK.

const scope = { name: "kit", version: "0.1.0" };

/** One record a report; each game is a resource of its own. */
async function recordsOf(reports: readonly OutgoingReport[]): Promise<ReadableLogRecord[]> {
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
        // A number before the process began would be taken for a time since then.
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
  // The same at every try: a store that looks at it keeps once what was sent twice.
  "log.record.uid": report.event,
  "exception.type": report.type,
  "exception.message": report.message,
  ...(report.stack !== "" && { "exception.stacktrace": report.stack }),
  "kit.issue.id": report.issue,
  "kit.fingerprint": report.key,
  "kit.count": report.number,
  "kit.news": report.isTest ? "test" : report.news,
  "kit.dialect": report.dialect,
});

const secretCharsMin = 6;

/** A yes may hold how many it would not take. */
function verdictOnLogs(answer: Answer): Verdict {
  const verdict = verdictOn(answer);
  const { rejectedLogRecords, errorMessage } = verdict.outcome === "delivered" ? partialSuccessIn(answer.text) : {};
  const rejected = Number(rejectedLogRecords ?? 0);
  if (!(rejected > 0)) return verdict;
  const why = typeof errorMessage === "string" && errorMessage !== "" ? `: ${errorMessage.slice(0, 200)}` : ".";
  return { outcome: "partly", rejected, says: `The collector would not take ${rejected} of the reports${why}` };
}

function partialSuccessIn(text: string): { rejectedLogRecords?: unknown; errorMessage?: unknown } {
  try {
    const said = JSON.parse(text) as { partialSuccess?: unknown } | null;
    return typeof said?.partialSuccess === "object" && said.partialSuccess !== null ? said.partialSuccess : {};
  } catch {
    // Many answer with nothing.
    return {};
  }
}

/** Throws KitError for what is no address of a collector. */
export async function openOtlp({ address, headers }: Access, now: () => number, withinMs: number): Promise<Send> {
  const { url } = readEndpoint(address);
  const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-http");
  const secrets = Object.values(headers).filter(({ length }) => length >= secretCharsMin);
  return async (reports, signal) => {
    const records = await recordsOf(reports);
    using one = await startOneTry(url, signal, withinMs);
    const exporter = new OTLPLogExporter({
      url,
      headers: { ...headers },
      timeoutMillis: withinMs,
      concurrencyLimit: 1,
      httpAgentOptions: () => one.agent,
    });
    exporter.export(records, () => undefined);
    const answer = await one.answer;
    // Its own limits are no part of the protocol; Retry-After is.
    const notBeforeMs = await limitedUntil(
      { ...answer, headers: { "retry-after": answer.headers["retry-after"] } },
      now(),
    );
    const shown = secrets.reduce((text, secret) => text.replaceAll(secret, "<key>"), answer.text);
    return { verdict: verdictOnLogs(answer), notBeforeMs, status: answer.status, answer: shown };
  };
}
