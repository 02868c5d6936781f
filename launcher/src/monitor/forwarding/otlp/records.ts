// Reports as OpenTelemetry log records, by the official SDK.
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { Told } from "../report.ts";

const scope = { name: "kit", version: "0.1.0" };

/** One record a report; each game is a resource of its own. */
export async function recordsOf(reports: readonly Told[]): Promise<ReadableLogRecord[]> {
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

const attributesOf = (report: Told) => ({
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
