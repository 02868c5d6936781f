// Sends reports as OpenTelemetry logs over HTTP, by the official exporter.
import { readEndpoint } from "../address.ts";
import type { Answer } from "../post.ts";
import type { Access, Send } from "../report.ts";
import { limitedUntil } from "../sentry/sentry.ts";
import { type Verdict, verdictOn } from "../verdict.ts";
import { startOneTry } from "./one-try.ts";
import { recordsOf } from "./records.ts";

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
