// Sends reports to a Sentry-protocol server: one envelope each, as its limits count events.
import type { EventEnvelope } from "@sentry/core";
import { type Answer, post } from "../post.ts";
import type { Access, Send } from "../report.ts";
import { verdictOn } from "../verdict.ts";
import { readDsn } from "./dsn.ts";
import { sentryClient, sentryEvent } from "./event.ts";

/** Until when the server wants no errors, as the library reads its headers. */
export async function limitedUntil({ status, headers }: Answer, nowMs: number): Promise<number | null> {
  const { disabledUntil, updateRateLimits } = await import("@sentry/core");
  const named = {
    "x-sentry-rate-limits": headers["x-sentry-rate-limits"] ?? null,
    "retry-after": headers["retry-after"] ?? null,
  };
  const untilMs = disabledUntil(updateRateLimits({}, { statusCode: status, headers: named }, nowMs), "error");
  return untilMs > nowMs ? untilMs : null;
}

/** Throws KitError for what is no DSN. */
export async function openSentry({ address }: Access, now: () => number, withinMs: number): Promise<Send> {
  const { url, key } = await readDsn(address);
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
    const answer = await post({ url, headers, body: serializeEnvelope(envelope), signal, withinMs });
    const notBeforeMs = await limitedUntil(answer, now());
    const shown = answer.text.replaceAll(key, "<key>");
    return { verdict: verdictOn(answer), notBeforeMs, status: answer.status, answer: shown };
  };
}
