// The three operations that games call. Their paths and fields never change.
import { Type } from "typebox";
import { buildCharsMax, eventIdCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import type { ProblemCode } from "./problem.ts";

export const eventKinds = ["recording", "monitor", "social"] as const;
export type EventKind = (typeof eventKinds)[number];
export const EventKind = Type.Enum(eventKinds, { description: "Which of the three services an event is for" });

const EventId = Type.String({
  minLength: 1,
  maxLength: eventIdCharsMax,
  // Requires at least one character that is not blank, and forbids control characters. The first two character classes
  // are disjoint, so the pattern matches in linear time.
  pattern:
    "^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
  description: `1 to ${eventIdCharsMax} characters, at least one not blank, no control characters; by convention <game>_<event>`,
});

/** Rejects dates that do not exist, such as 2026-02-30, which Date would read as March 2. */
function isRealInstant(text: string): boolean {
  return new Date(text).getUTCDate() === Number(text.slice(8, 10));
}

export const instantSchema = Type.Refine(
  Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
    description: "an ISO 8601 time in UTC that exists, with milliseconds: YYYY-MM-DDTHH:MM:SS.sssZ",
  }),
  isRealInstant,
);

export const RecordingTrigger = Type.Object(
  { eventId: EventId, timestamp: instantSchema },
  { description: "A moment worth a clip" },
);
export const SocialTrigger = Type.Object(
  { eventId: EventId, timestamp: instantSchema },
  { description: "A moment worth sharing" },
);
export const MonitorReport = Type.Object(
  {
    message: Type.String({ minLength: 1, description: "a string that is not empty: the error or diagnostic message" }),
    stackTrace: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "a string: the stack trace as text, empty when there is none; null or absent count as empty",
      }),
    ),
    build: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: `a string: the version of the game, e.g. 1.4.2; cut after ${buildCharsMax} characters. Bindings need not send it`,
      }),
    ),
    timestamp: instantSchema,
  },
  { description: "Something that went wrong" },
);

export const ignoreReasons = ["service_off", "game_off", "event_off"] as const;
export const IgnoreReason = Type.Enum(ignoreReasons, {
  description: "Which switch is off: the service, the game, or the event id",
});
export type IgnoreReason = (typeof ignoreReasons)[number];

export const Acknowledgement = Type.Object(
  {
    id: Type.String({
      description:
        "UUID v7 of the stored event. In a flood of equal error reports only a few are stored and all are counted; then this is the id of the stored report that this one was counted with",
    }),
    status: Type.Enum(["accepted", "ignored"]),
    reason: Type.Optional(IgnoreReason),
  },
  { description: "Sent only after the event, or its count, is on stable storage" },
);
export type Acknowledgement = Type.Static<typeof Acknowledgement>;

const errors = [
  "malformed_request",
  "not_json",
  "origin_refused",
  "consent_needed",
  "method_not_allowed",
  "request_timeout",
  "payload_too_large",
  "unsupported_media_type",
  "misdirected",
  "payload_invalid",
  "too_many_requests",
  "internal",
  "storage_unavailable",
] as const satisfies readonly ProblemCode[];

const ingest = { method: "POST", access: "ingest", status: 202, reply: Acknowledgement, errors } as const;

export const triggerRecording = operation({
  ...ingest,
  id: "triggerRecording",
  path: "/api/recording/trigger",
  says: "Reports a moment worth a clip.",
  body: RecordingTrigger,
});
export const reportError = operation({
  ...ingest,
  id: "reportError",
  path: "/api/monitor/report",
  says: "Reports an error.",
  body: MonitorReport,
});
export const triggerSocial = operation({
  ...ingest,
  id: "triggerSocial",
  path: "/api/social/trigger",
  says: "Reports a moment worth sharing.",
  body: SocialTrigger,
});

/** The ingest operation for each kind of event. */
export const ingestOperations = { recording: triggerRecording, monitor: reportError, social: triggerSocial } as const;
