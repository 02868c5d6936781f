// Operations and types of forwarding targets: servers that error reports are sent to.
import { Type } from "typebox";
import { formatCount } from "./counts.ts";
import { nullable } from "./issues.ts";
import {
  forwardDecisionsMax,
  forwardedVideosPerDayMax,
  forwardHeadersMax,
  forwardTargetsMax,
  sentRequestCharsMax,
  sentRequestsMax,
} from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { inputErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });
export const forwardKinds = ["sentry", "otlp"] as const;
export const ForwardKind = Type.Enum(forwardKinds, {
  description: "sentry: a server that speaks Sentry's protocol; otlp: a collector that accepts OpenTelemetry logs",
});
export type ForwardKind = (typeof forwardKinds)[number];

export const ForwardedGame = nullable(
  Type.String({ minLength: 1, maxLength: 200 }),
  "the game whose reports are forwarded; `unsorted` for reports without a game; null for all",
);

/** The parts of which a person decides one by one whether a target gets them. */
export const forwardSwitches = ["reports", "earlierEvents", "installation", "videos"] as const;
export type ForwardSwitch = (typeof forwardSwitches)[number];

const ForwardDecision = Type.Object(
  {
    at: Instant,
    switch: Type.Enum(forwardSwitches),
    on: Type.Boolean({ description: "Whether it was switched on" }),
  },
  { description: "A switch of a target that a person changed" },
);

const sendingState = {
  lastError: nullable(messageSchema(), "The last error; null after a later delivery"),
  lastErrorAt: nullable(Type.String(), "Time of the last error"),
  stopped: nullable(messageSchema(), "Why nothing is sent until a person acts, and what to do"),
  waitsUntil: nullable(Type.String(), "Nothing is sent before this time"),
  waitsBecause: Type.Union([Type.Enum(["rate-limit", "failure"]), Type.Null()], {
    description: "rate-limit: the server asked for it; failure: the last attempt failed",
  }),
};

export const ForwardBucket = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 500,
      description: "The address of an S3 store, e.g. https://s3.eu-central-1.amazonaws.com",
    }),
    region: Type.String({ pattern: "^[A-Za-z0-9-]{1,60}$", description: "e.g. eu-central-1, or what the store says" }),
    name: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$", description: "Name of the bucket" }),
    prefix: Type.String({
      pattern: "^(?!/)[A-Za-z0-9!_.*'()/-]{0,200}$",
      description: "Comes before the name of each file, e.g. playtest/; empty for none",
    }),
    hostStyle: Type.Boolean({
      description: "true: the bucket is the first part of the host name; false: the first part of the path",
    }),
  },
  { description: "A bucket of an S3 store, to which the videos of a target are uploaded" },
);
export type ForwardBucket = Type.Static<typeof ForwardBucket>;

export const ForwardVideos = Type.Object(
  {
    sent: Type.Integer({
      description: "Videos that the server answered with success. Some trackers accept videos and throw them away",
    }),
    lastSentAt: nullable(Type.String(), "null if there is none"),
    waiting: Type.Integer({ description: "Saved clips of errors that the server knows, and that are not sent yet" }),
    unsent: Type.Integer({ description: "Videos that Kit gave up, or that the server refused" }),
    unsentBecause: nullable(messageSchema(), "Why the last of them was not sent"),
    unsentAt: nullable(Type.String(), "When that was"),
    ...sendingState,
  },
  {
    description: `The videos of a forwarding target: of each issue and build the first clip, then the newest that waits, and after that at most one a day; ${forwardedVideosPerDayMax} within 24 hours at most`,
  },
);
export type ForwardVideos = Type.Static<typeof ForwardVideos>;

export const ForwardTarget = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    kind: ForwardKind,
    game: ForwardedGame,
    host: Type.String({ description: "Host and port. The rest of the address is never returned" }),
    project: nullable(Type.String(), "The project of a DSN, or the path of a collector's URL; null: the usual path"),
    environment: nullable(Type.String(), "Added to every report, e.g. playtest; null: nothing"),
    installation: nullable(
      Type.String(),
      "A random id that this target gets with every report, so that it can count computers; null: none is sent",
    ),
    videos: Type.Boolean({
      description: "Whether clips of errors are sent too, with their sound; for a collector only if there is a bucket",
    }),
    bucket: nullable(
      Type.Object({
        ...ForwardBucket.properties,
        hasKeys: Type.Boolean({ description: "Whether a person entered its keys. Until then, no video is sent" }),
      }),
      "Where videos are uploaded; the report is sent once more, with a link. null: they are sent to the target itself. The keys are never returned",
    ),
    earlierEvents: Type.Boolean({
      description: "Whether the events before an error are sent with it; a collector never gets them",
    }),
    consent: nullable(
      Type.Object({
        studio: Type.String({ description: "Who asked" }),
        text: Type.String({ description: "The studio's words at that time" }),
        version: Type.String({ description: "SHA-256 of the whole invitation, 64 hexadecimal digits" }),
        decidedAt: Instant,
        switches: Type.Object(
          {
            reports: Type.Boolean({ description: "Error reports" }),
            earlierEvents: Type.Boolean({ description: "The events before an error" }),
            installation: Type.Boolean({ description: "A random id of the computer" }),
            videos: Type.Boolean({ description: "Videos of errors" }),
          },
          { description: "What they switched on and off then; it does not change with later decisions" },
        ),
      }),
      "The invitation that a person accepted; null if they added the target themselves",
    ),
    decisions: Type.Array(ForwardDecision, {
      description: `Its switches that a person changed after the target was added, newest first; the last ${forwardDecisionsMax}`,
    }),
    enabled: Type.Boolean({ description: "If false, no reports are queued or sent" }),
    createdAt: Instant,
    delivered: Type.Integer({ description: "Reports that the confirmed messages stand for" }),
    lastDeliveredAt: nullable(Type.String(), "null if there is none"),
    waiting: Type.Integer({ description: "Reports that the server was not told of yet" }),
    waitingBytes: Type.Integer({ description: "Size of the queued messages in bytes" }),
    dropped: Type.Integer({
      description:
        "Reports that the server will never get: it rejected them, or their issue was deleted before they were told",
    }),
    videoQueue: nullable(ForwardVideos, "null until videos are switched on for the first time"),
    ...sendingState,
  },
  { description: "A server that reports are forwarded to" },
);
export type ForwardTarget = Type.Static<typeof ForwardTarget>;

export const Environment = nullable(
  Type.String({ minLength: 1, maxLength: 64, pattern: "^(?!None$)[^\\s/\\u0000-\\u001f\\u007f-\\u009f]+$" }),
  "up to 64 characters without blanks and slashes, e.g. playtest; null for none",
);
const Address = Type.String({
  minLength: 1,
  maxLength: 2_000,
  writeOnly: true,
  description:
    "a DSN (sentry) or the https address of a collector (otlp), up to 2,000 characters; never returned again",
});
const Headers = Type.Record(Type.String(), Type.String({ maxLength: 4_096 }), {
  maxProperties: forwardHeadersMax,
  writeOnly: true,
  description: `up to ${forwardHeadersMax} headers of requests to a collector, for example its key; never returned again`,
});

const Key = Type.String({
  pattern: "^[!-+.-~\\-]{1,200}$",
  writeOnly: true,
  description: "up to 200 printable characters without blanks and commas; never returned again",
});

export const targetTransport = {
  withoutTls: Type.Optional(Type.Boolean({ description: "Allows plain http to an address of the local network" })),
  certificate: Type.Optional(
    Type.String({
      maxLength: 16_384,
      description: "the certificate of an authority that may vouch for the server, in PEM form",
    }),
  ),
};

export const ForwardTestResult = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the server confirmed the test report" }),
    says: messageSchema("The result in one sentence"),
    status: nullable(Type.Integer(), "HTTP status of the answer, or null"),
    answer: nullable(Type.String(), "Beginning of the answer without the key, or null"),
    report: nullable(Type.String(), "Id of the test report at the server; null if none was sent"),
  },
  { description: "A server's answer to a test report" },
);
export type ForwardTestResult = Type.Static<typeof ForwardTestResult>;

const params = Type.Object({ id: Type.String({ description: "The target's id" }) });

export const listForwardTargets = operation({
  id: "listForwardTargets",
  method: "GET",
  path: "/api/forwarding",
  access: "session",
  says: "Lists forwarding targets with their state.",
  status: 200,
  reply: Type.Object({ targets: Type.Array(ForwardTarget, { description: "Oldest first" }) }),
  errors: sessionErrors,
});

export const addForwardTarget = operation({
  id: "addForwardTarget",
  method: "POST",
  path: "/api/forwarding",
  access: "session",
  says: `Adds a forwarding target for new reports; ${forwardTargetsMax} at most.`,
  body: Type.Object({
    kind: ForwardKind,
    address: Address,
    headers: Type.Optional(Headers),
    game: ForwardedGame,
    environment: Type.Optional(Environment),
    ...targetTransport,
  }),
  status: 201,
  reply: ForwardTarget,
  errors: inputErrors,
});

export const changeForwardTarget = operation({
  id: "changeForwardTarget",
  method: "PUT",
  path: "/api/forwarding/{id}",
  access: "session",
  says: "Changes a target. Omitted members do not change. `enabled: true` also restarts a stopped target.",
  params,
  body: Type.Object({
    enabled: Type.Optional(Type.Boolean()),
    game: Type.Optional(ForwardedGame),
    environment: Type.Optional(Environment),
    installation: Type.Optional(
      Type.Enum(["none", "new"], {
        description: "none: sends no installation id any more; new: makes a random one, also in place of another",
      }),
    ),
    videos: Type.Optional(
      Type.Boolean({
        description:
          "true or false: whether clips of errors are sent too, with their sound; for a collector only if there is a bucket",
      }),
    ),
    earlierEvents: Type.Optional(Type.Boolean({ description: "Whether the events before an error are sent with it" })),
    bucket: Type.Optional(
      nullable(
        Type.Object({
          ...ForwardBucket.properties,
          accessKey: Type.Optional(Key),
          secretKey: Type.Optional(Key),
          ...targetTransport,
        }),
        "an S3 bucket to which videos are uploaded, with its keys; without keys, the saved ones stay; null for none",
      ),
    ),
    address: Type.Optional(Address),
    headers: Type.Optional(Headers),
    ...targetTransport,
  }),
  status: 200,
  reply: ForwardTarget,
  errors: inputErrors,
});

export const removeForwardTarget = operation({
  id: "removeForwardTarget",
  method: "DELETE",
  path: "/api/forwarding/{id}",
  access: "session",
  says: "Removes a target with its key and its queued reports.",
  params,
  status: 204,
  errors: inputErrors,
});

export const testForwardTarget = operation({
  id: "testForwardTarget",
  method: "POST",
  path: "/api/forwarding/{id}/test",
  access: "session",
  says: "Sends a report marked as a test, and returns the server's answer. A success restarts a stopped target.",
  params,
  status: 200,
  reply: ForwardTestResult,
  errors: inputErrors,
});

export const ForwardBucketTest = Type.Object(
  {
    ok: Type.Boolean({ description: "Whether the bucket took a file, and a link to it worked" }),
    says: messageSchema("The result in one sentence"),
  },
  { description: "The result of a test of a bucket" },
);
export type ForwardBucketTest = Type.Static<typeof ForwardBucketTest>;

export const testForwardBucket = operation({
  id: "testForwardBucket",
  method: "POST",
  path: "/api/forwarding/{id}/bucket/test",
  access: "session",
  says: "Writes, reads and deletes a small file in the bucket of a target. A success restarts its stopped videos.",
  params,
  status: 200,
  reply: ForwardBucketTest,
  errors: inputErrors,
});

export const SentRequest = Type.Object(
  {
    sentAt: Instant,
    messages: Type.Integer({ description: "Messages in the request" }),
    reports: Type.Integer({ description: "Reports that they stand for" }),
    accepted: Type.Boolean({
      description: "Whether the server accepted them. If not, it refused them, failed or did not answer",
    }),
    body: Type.String({
      description: `What was sent, before compression; its first ${formatCount(sentRequestCharsMax)} characters`,
    }),
    chars: Type.Integer({ description: "Length of the whole body in characters" }),
  },
  { description: "A request that left this computer" },
);
export type SentRequest = Type.Static<typeof SentRequest>;

export const listSentRequests = operation({
  id: "listSentRequests",
  method: "GET",
  path: "/api/forwarding/{id}/sent",
  access: "session",
  says: `Lists what was sent to a target: its last ${sentRequestsMax} requests with reports, also those that failed. Videos are not in it.`,
  params,
  status: 200,
  reply: Type.Object({ requests: Type.Array(SentRequest, { description: "Newest first" }) }),
  errors: inputErrors,
});
