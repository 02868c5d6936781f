// Sends reports to a server that speaks Sentry's protocol. Each report is one envelope, because rate limits count events.

import { rejectField } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Breadcrumb, ClientReport, Event, EventEnvelope, StackFrame } from "@sentry/core";
import { namedWaitEndMs } from "../../outbound/response.ts";
import type { StackDialect } from "../stack/stack.ts";
import { parseTargetUrl, type TargetUrl } from "./address.ts";
import { type OutgoingReport, type Sender, type TargetCredentials, videoMembers } from "./report.ts";
import { connectToServer, type HttpAnswer, verdictForAnswer } from "./server-connection.ts";

/** The address of a project on a Sentry-protocol server, with its key. */
type Dsn = TargetUrl & { readonly key: string; readonly project: string };

/**
 * Throws KitError for an invalid DSN. Does not use the library's parser, which would log an invalid DSN together with its
 * key. `path` is the field that contains it.
 */
export async function parseDsn(text: string, withoutTls: boolean, path = "/address"): Promise<Dsn> {
  const url = parseTargetUrl(text.trim(), withoutTls, path);
  const { getEnvelopeEndpointWithUrlEncodedAuth: endpointOf, makeDsn } = await import("@sentry/core");
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const projectId = parts.pop() ?? "";
  const key = url.username;
  const { protocol, hostname, port } = url;
  const publicKey = key;
  const dsn = makeDsn({
    protocol: protocol === "https:" ? "https" : "http",
    publicKey,
    host: hostname,
    port,
    path: parts.join("/"),
    projectId,
  });
  if (dsn === undefined || !/^\w{1,200}$/.test(key) || !/^\d{1,20}$/.test(projectId))
    return rejectField(path, message("target.not_a_dsn"));
  // The key is sent in a header instead, because URLs end up in logs.
  const [endpoint = ""] = endpointOf(dsn).split("?");
  return { url: endpoint, host: url.host, key, project: projectId };
}

const isUnsigned = (number: number | null): number is number => Number.isSafeInteger(number) && Number(number) >= 0;

const platforms: Readonly<Record<StackDialect, string>> = {
  v8: "javascript",
  gecko: "javascript",
  dotnet: "csharp",
  mono: "csharp",
  il2cpp: "csharp",
  unity: "csharp",
  gdscript: "other",
  gml: "other",
  native: "native",
  text: "other",
};
const tagCharsMax = 200;
const client = { name: "kit", version: "0.1.0" };
const sentryClient = `${client.name}/${client.version}`;

/**
 * Returns the id in the protocol's form, 32 hexadecimal digits. It is the same in every attempt, so the server drops
 * duplicates.
 */
const eventIdOf = (event: string): string => event.replaceAll("-", "").toLowerCase();

const releaseCharsMax = 200;
/** Sentry shows a release as GAME@BUILD, and takes no blanks and slashes in it. */
const releaseOf = ({ game, build }: OutgoingReport): string =>
  `${game ?? "unsorted"}@${build}`.replace(/[\s/\\]+/g, "-").slice(0, releaseCharsMax);

/** Servers of Sentry itself. Others may refuse a report with a setting that they do not know. */
const isSentryItself = (host: string) => /(^|\.)sentry\.io(:\d+)?$/.test(host);

function sentryEvent(report: OutgoingReport, isSentry: boolean, clockAheadMs: number): Event {
  const { event, atMs, dialect, type, message, frames, stack, key } = report;
  const tags: Record<string, string> = {
    game: (report.game ?? "unsorted").slice(0, tagCharsMax),
    "engine.dialect": dialect,
    "kit.issue": report.issue,
    "kit.news": report.isTest ? "test" : report.novelty,
    "kit.reports": String(report.reports),
    ...(report.stripped && { "kit.details": "left-out" }),
  };
  const since = new Date(report.sinceMs + clockAheadMs).toISOString();
  const until = new Date(report.lastMs + clockAheadMs).toISOString();
  const breadcrumbs: Breadcrumb[] = report.precedingEvents.map(({ atMs: at, kind, text }) => ({
    timestamp: (at + clockAheadMs) / 1_000,
    category: kind,
    message: text,
    level: kind === "monitor" ? "error" : "info",
  }));
  const shown: StackFrame[] = frames
    .map((frame) => ({
      function: frame.function ?? "<anonymous>",
      in_app: frame.inApp,
      ...(frame.file !== null && { filename: frame.file }),
      // A number that is too large or too small for the schema is left out.
      ...(isUnsigned(frame.line) && { lineno: frame.line }),
      ...(isUnsigned(frame.column) && { colno: frame.column }),
    }))
    .reverse();
  return {
    event_id: eventIdOf(event),
    timestamp: (atMs + clockAheadMs) / 1_000,
    platform: platforms[dialect],
    level: report.isTest ? "info" : "error",
    logger: "kit",
    ...(report.build !== "" && { release: releaseOf(report) }),
    ...(report.environment !== null && { environment: report.environment }),
    ...(report.installation !== null && { user: { id: report.installation } }),
    // Without this setting, a server may store the address that the request came from as the player's.
    sdk: { ...client, ...(isSentry && { settings: { infer_ip: "never" } }) },
    // The sum of `reports` over all events of all computers is the number of reports.
    contexts: {
      kit: { reports: report.reports, total: report.total, since, until, ...videoMembers(report, "video_") },
    },
    exception: {
      values: [
        {
          type,
          value: message,
          mechanism: { type: "kit", handled: false },
          ...(shown.length > 0 && { stacktrace: { frames: shown } }),
        },
      ],
    },
    // Without the version of the rules: the server keeps an error that a newer version reads alike.
    fingerprint: ["kit-1", key],
    tags,
    // A stack that could not be parsed is sent as text.
    extra: { count: report.number, ...(shown.length === 0 && stack !== "" && { stack }) },
    // The schema has this form. The library's type has only the older one, a list.
    breadcrumbs: { values: breadcrumbs } as unknown as Breadcrumb[],
  };
}

type SentryCategory = "error" | "attachment";

/**
 * Returns a function that says until when the server accepts nothing of a category, or null. Sentry's library reads that from the
 * headers.
 */
export async function readSentryRateLimits(
  { status, headers }: HttpAnswer,
  nowMs: number,
): Promise<(category: SentryCategory) => number | null> {
  const { disabledUntil, updateRateLimits } = await import("@sentry/core");
  const named = {
    "x-sentry-rate-limits": headers["x-sentry-rate-limits"] ?? null,
    "retry-after": headers["retry-after"] ?? null,
  };
  const limits = updateRateLimits({}, { statusCode: status, headers: named }, nowMs);
  return (category) => namedWaitEndMs(disabledUntil(limits, category) - nowMs, nowMs);
}

export const sentryHeaders = (key: string) => ({
  "content-type": "application/x-sentry-envelope",
  "user-agent": sentryClient,
  "x-sentry-auth": `Sentry sentry_version=7, sentry_client=${sentryClient}, sentry_key=${key}`,
});

/** Throws KitError for an invalid DSN. */
export async function createSentrySender(
  { address, withoutTls = false, certificate }: TargetCredentials,
  now: () => number,
  withinMs: number,
): Promise<Sender> {
  const { url, key, host } = await parseDsn(address, withoutTls);
  const { createEnvelope, serializeEnvelope } = await import("@sentry/core");
  const connection = await connectToServer({ url, withoutTls, certificate, withinMs, now });
  const headers = sentryHeaders(key);
  return {
    tellsDropped: true,
    get requests() {
      return connection.requests;
    },
    close: connection.close,
    async send([report], dropped, signal, onLeaves) {
      if (report === undefined) throw new Error("There is no report to send");
      const clockAheadMs = await connection.clockAheadMs(signal);
      const serverMs = now() + clockAheadMs;
      const event = sentryEvent(report, isSentryItself(host), clockAheadMs);
      const head = { event_id: event.event_id ?? "", sent_at: new Date(serverMs).toISOString() };
      const lost: ClientReport = {
        timestamp: serverMs / 1_000,
        discarded_events: [
          { reason: "queue_overflow", category: "error", quantity: dropped.reports } as const,
          { reason: "send_error", category: "attachment", quantity: dropped.videoBytes } as const,
        ].filter(({ quantity }) => quantity > 0),
      };
      const envelope = createEnvelope<EventEnvelope>(head, [
        [{ type: "event" }, event],
        ...(lost.discarded_events.length > 0 ? ([[{ type: "client_report" }, lost]] as never[]) : []),
      ]);
      const body = String(serializeEnvelope(envelope));
      const answer = await connection.post({ url, headers, body, signal, onLeaves: () => onLeaves(body) });
      const limits = await readSentryRateLimits(answer, now());
      const shown = answer.text.replaceAll(key, "<key>");
      const notBefore = { notBeforeMs: limits("error"), videosNotBeforeMs: limits("attachment") };
      return { verdict: verdictForAnswer(answer), ...notBefore, status: answer.status, answer: shown };
    },
  };
}
