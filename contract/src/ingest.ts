// The three operations a game calls. Their paths and fields stay as they are for ever.
import { Type } from "typebox";
import { eventIdCharsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import type { ProblemCode } from "./problem.ts";

export const eventKinds = ["recording", "monitor", "social"] as const;
export type EventKind = (typeof eventKinds)[number];
export const EventKind = Type.Enum(eventKinds, { description: "Which of the three services an event is for" });

const EventId = Type.String({
  minLength: 1,
  maxLength: eventIdCharsMax,
  // Blanks, then one character that is not blank, then anything but control characters. The first two classes share
  // nothing, so that it takes linear time on any text.
  pattern:
    "^[^\\S\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$",
  description: `1 to ${eventIdCharsMax} characters, at least one not blank, no control characters; by convention <game>_<event>`,
});

/** True when `text` names a moment that exists: Date would read 2026-02-30 as the 2nd of March. */
function isRealInstant(text: string): boolean {
  return new Date(text).getUTCDate() === Number(text.slice(8, 10));
}

export const exactTime = Type.Refine(
  Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
    description: "an ISO 8601 time in UTC that exists, with milliseconds: YYYY-MM-DDTHH:MM:SS.sssZ",
  }),
  isRealInstant,
);

export const RecordingTrigger = Type.Object(
  { eventId: EventId, timestamp: exactTime },
  { description: "A moment worth a clip" },
);
export const SocialTrigger = Type.Object(
  { eventId: EventId, timestamp: exactTime },
  { description: "A moment worth telling" },
);
export const MonitorReport = Type.Object(
  {
    message: Type.String({ minLength: 1, description: "a string that is not empty: the error or diagnostic message" }),
    stackTrace: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: "a string: the stack trace as text, empty when there is none; null or absent count as empty",
      }),
    ),
    timestamp: exactTime,
  },
  { description: "Something that went wrong" },
);

export const ignoreReasons = ["service_off", "game_off", "event_off"] as const;
export const IgnoreReason = Type.Enum(ignoreReasons, {
  description: "Which switch the player turned off: the whole service, this game, or this event",
});
export type IgnoreReason = (typeof ignoreReasons)[number];

export const Acknowledgement = Type.Object(
  {
    id: Type.String({
      description:
        "UUID v7 of the stored event. Of a flood of error reports of one kind a few are stored and all are counted: then it is that of a stored one, which it was counted with",
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
  says: "This moment is worth a clip.",
  body: RecordingTrigger,
});
export const reportError = operation({
  ...ingest,
  id: "reportError",
  path: "/api/monitor/report",
  says: "This went wrong.",
  body: MonitorReport,
});
export const triggerSocial = operation({
  ...ingest,
  id: "triggerSocial",
  path: "/api/social/trigger",
  says: "This is worth telling.",
  body: SocialTrigger,
});

/** The ingest operation of each kind. */
export const ingestOf = { recording: triggerRecording, monitor: reportError, social: triggerSocial } as const;
