// Sends reports as OpenTelemetry logs over HTTP with the official SDK.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { message } from "@kit/contract/messages";
import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import { parseCollectorUrl } from "./address.ts";
import {
  type AnswerVerdict,
  createTargetLookup,
  type HttpAnswer,
  readHttpAnswer,
  verdictForAnswer,
} from "./post-once.ts";
import type { OutgoingReport, SendReports, TargetCredentials } from "./report.ts";
import { sentryRateLimitEnd } from "./sentry.ts";

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

type Started = { readonly request: ClientRequest };
type Finished = Started & { readonly response: IncomingMessage };
type Failed = Started & { readonly error: Error };

/** After this status, the exporter does not retry. So every status of a failure is replaced by it. */
const finalStatus = 400;

async function createAgent(url: string): Promise<Agent> {
  const isPlain = url.startsWith("http:");
  const lookup = await createTargetLookup(isPlain);
  const { Agent: Connections } = await (isPlain ? import("node:http") : import("node:https"));
  return new Connections({ keepAlive: false, lookup });
}

type SingleRequest = {
  readonly agent: Agent;
  /** The server's answer. Rejects if none arrives in time. */
  readonly answer: Promise<HttpAnswer>;
  /** Closes the connection. */
  [Symbol.dispose](): void;
};

/**
 * Creates an agent for the official exporter and watches its first request. Any further request fails at once. On its own, the
 * exporter retries, waits without limit for a slow answer and hides the answer; here only the queue retries.
 */
async function watchSingleRequest(url: string, signal: AbortSignal, withinMs: number): Promise<SingleRequest> {
  const agent = await createAgent(url);
  const { promise: answer, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  let requests = 0;
  const isOurs = ({ request }: Started) => (request as { agent?: unknown }).agent === agent;
  const onStart = (message: unknown) => {
    if (!isOurs(message as Started)) return;
    requests += 1;
    if (requests > 1) (message as Started).request.destroy(new Error("One try is one request"));
  };
  const onError = (message: unknown) => {
    if (isOurs(message as Failed)) reject((message as Failed).error);
  };
  const onAnswer = (message: unknown) => {
    if (!isOurs(message as Finished)) return;
    const { response } = message as Finished;
    const status = response.statusCode ?? 0;
    if (status > 299) response.statusCode = finalStatus;
    // Resolves only with the whole answer: resolving now would end the time limit before a slow answer is read.
    void readHttpAnswer(response, status).then(resolve);
  };
  const channels = [
    ["http.client.request.start", onStart],
    ["http.client.request.error", onError],
    ["http.client.response.finish", onAnswer],
  ] as const;
  for (const [name, listener] of channels) subscribe(name, listener);
  const ended = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const giveUp = () => reject(ended.reason);
  ended.addEventListener("abort", giveUp, { once: true });
  if (ended.aborted) giveUp();
  // The caller awaits the answer later. Until then, a failure must not count as an unhandled rejection.
  answer.catch(() => undefined);
  return {
    agent,
    answer,
    [Symbol.dispose]() {
      ended.removeEventListener("abort", giveUp);
      for (const [name, listener] of channels) unsubscribe(name, listener);
      agent.destroy();
    },
  };
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
