// Sends reports to a server that speaks Sentry's protocol. Each report is one envelope, because rate limits count events.
import type { EventEnvelope } from "@sentry/core";
import { type HttpAnswer, postOnce } from "../post-once.ts";
import type { SendReports, TargetCredentials } from "../report.ts";
import { verdictForAnswer } from "../verdict.ts";
import { parseDsn } from "./dsn.ts";
import { sentryClient, sentryEvent } from "./event.ts";

/** Returns until when the server accepts no error reports, or null. Sentry's library reads that from the headers. */
export async function sentryRateLimitEnd({ status, headers }: HttpAnswer, nowMs: number): Promise<number | null> {
  const { disabledUntil, updateRateLimits } = await import("@sentry/core");
  const named = {
    "x-sentry-rate-limits": headers["x-sentry-rate-limits"] ?? null,
    "retry-after": headers["retry-after"] ?? null,
  };
  const untilMs = disabledUntil(updateRateLimits({}, { statusCode: status, headers: named }, nowMs), "error");
  return untilMs > nowMs ? untilMs : null;
}

/** Throws KitError for an invalid DSN. */
export async function createSentrySender(
  { address }: TargetCredentials,
  now: () => number,
  withinMs: number,
): Promise<SendReports> {
  const { url, key } = await parseDsn(address);
  const { createEnvelope, serializeEnvelope } = await import("@sentry/core");
  const headers = {
    "content-type": "application/x-sentry-envelope",
    "user-agent": sentryClient,
    "x-sentry-auth": `Sentry sentry_version=7, sentry_client=${sentryClient}, sentry_key=${key}`,
  };
  return async ([report], signal) => {
    if (report === undefined) throw new Error("There is no report to send");
    const event = sentryEvent(report);
    const head = { event_id: event.event_id ?? "", sent_at: new Date(now()).toISOString() };
    const envelope = createEnvelope<EventEnvelope>(head, [[{ type: "event" }, event]]);
    const answer = await postOnce({ url, headers, body: serializeEnvelope(envelope), signal, withinMs });
    const notBeforeMs = await sentryRateLimitEnd(answer, now());
    const shown = answer.text.replaceAll(key, "<key>");
    return { verdict: verdictForAnswer(answer), notBeforeMs, status: answer.status, answer: shown };
  };
}
