// Operations on stored events: lists, receipts and the live feed.
import { Type } from "typebox";
import { EventKind, IgnoreReason } from "./ingest.ts";
import { eventsPageMax } from "./limits.ts";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";
import { FieldError, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });
const Nullable = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);

/**
 * The states of a receipt. `saved` and `sent` mean that the result was verified; `marked` means that nothing was being
 * recorded.
 */
export const receiptStates = [
  "accepted",
  "ignored",
  "handed-over",
  "recording",
  "saved",
  "marked",
  "grouped",
  "drafted",
  "approved",
  "sent",
  "failed",
] as const;
/** What the live feed reports changes of. */
export const changeTopics = [
  "clips",
  "recorder",
  "games",
  "origins",
  "issues",
  "notices",
  "posts",
  "accounts",
  "sessions",
  "storage",
] as const;

export const ReceiptState = Type.Enum(receiptStates);
export type ReceiptState = (typeof receiptStates)[number];

export const ReceiptEntry = Type.Object(
  {
    state: ReceiptState,
    at: Instant,
    by: Type.String({ description: "The part of the launcher that reported the state" }),
    reason: Type.Optional(messageSchema("The reason, if the state alone does not explain it")),
  },
  { description: "One state an event reached" },
);
export type ReceiptEntry = Type.Static<typeof ReceiptEntry>;

/**
 * Returns the id of the issue in which an error report is counted, from the report's receipt. Undefined until the
 * launcher has grouped the report.
 */
export function issueIdInReceipt(states: readonly ReceiptEntry[]): string | undefined {
  const reason = states.findLast(({ state }) => state === "grouped")?.reason;
  const issue = typeof reason === "object" && reason.code === "issue.grouped" ? reason.values?.issue : undefined;
  return typeof issue === "string" ? issue : undefined;
}

export const KitEvent = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    kind: EventKind,
    game: Nullable(Type.String({ description: "The game of the event; null is unsorted" })),
    eventId: Nullable(Type.String({ description: "null for monitor reports, which have none" })),
    payload: Type.Object(
      {
        eventId: Type.Optional(Type.String({ description: "Present in recording and social triggers" })),
        message: Type.Optional(Type.String({ description: "Present in monitor reports" })),
        stackTrace: Type.Optional(
          Type.String({ description: "Present in monitor reports; empty if the report had none" }),
        ),
        build: Type.Optional(
          Type.String({
            description:
              "The build that sent a monitor report, if the report, `kit run --build` or the game's `kit.events.json` named one",
          }),
        ),
        timestamp: Type.String({ description: "The game's own time" }),
      },
      { description: "The declared members as they were sent; `notes` says what was shortened or added" },
    ),
    receivedAt: Instant,
    actsOn: Type.String({
      description: "The effective time: the payload's, or the arrival if the two differ too much",
    }),
    status: Type.Enum(["accepted", "ignored"], { description: "The status in the response to the game" }),
    reason: Type.Optional(IgnoreReason),
    state: Type.Enum(receiptStates, { description: "The newest state of the receipt" }),
    notes: Type.Array(messageSchema(), { description: "Differences between the sent and the stored event, in words" }),
    origin: Nullable(Type.String({ description: "The web origin that sent the event; null for a native game" })),
    client: Nullable(Type.String({ description: "The sender's User-Agent" })),
    intact: Type.Boolean({ description: "False when the stored payload no longer matches its checksum" }),
  },
  { description: "A stored event" },
);
export type KitEvent = Type.Static<typeof KitEvent>;

export const Receipt = Type.Object(
  { event: KitEvent, states: Type.Array(ReceiptEntry, { description: "Oldest first" }) },
  { description: "An event and every state it went through" },
);
export type Receipt = Type.Static<typeof Receipt>;

export const Refusal = Type.Object(
  {
    number: Type.Integer({ description: "Increases by one with each refusal" }),
    at: Instant,
    status: Type.Integer({ description: "HTTP status of the response" }),
    code: Type.String({ description: "Problem code, e.g. payload_invalid" }),
    detail: messageSchema("What went wrong and what to do next"),
    errors: Type.Array(FieldError, { description: "One entry for each invalid member" }),
    method: Type.String({ description: "HTTP method of the request" }),
    path: Type.String({ description: "The path of the request" }),
    kind: Type.Union([EventKind, Type.Null()]),
    origin: Nullable(Type.String({ description: "The web origin that sent the request; null for a native program" })),
    client: Nullable(Type.String({ description: "The sender's User-Agent" })),
    body: Nullable(Type.String({ description: "The first 2,048 characters of the body" })),
  },
  { description: "A refused request; only the newest 200 are kept, in memory" },
);
export type Refusal = Type.Static<typeof Refusal>;

export const EventFilter = Type.Object({
  game: Type.Optional(Type.String({ description: "Only this game; `unsorted` for events without one" })),
  kind: Type.Optional(EventKind),
});
export type EventFilter = Type.Static<typeof EventFilter>;

export const FeedItem = Type.Union(
  [
    Type.Object({ type: Type.Literal("event"), event: KitEvent }),
    Type.Object({
      type: Type.Literal("receipt"),
      id: Type.String({ description: "The event's id" }),
      entry: ReceiptEntry,
    }),
    Type.Object({ type: Type.Literal("refusal"), refusal: Refusal }),
    Type.Object({
      type: Type.Literal("changed"),
      what: Type.Enum(changeTopics),
    }),
    Type.Object({
      type: Type.Literal("skipped"),
      events: Type.Integer({
        description:
          "Number of events left out because the reader is too far behind, or 0 after an older journal was restored; load the list again with GET /api/events",
      }),
    }),
  ],
  {
    description:
      "The `data` of one message of the live feed. Its SSE field `event` repeats `type`, and its `id` is the cursor for a reconnect.",
  },
);
export type FeedItem = Type.Static<typeof FeedItem>;

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/api/events",
  access: "session",
  says: "The stored events, newest first, and the cursor from which the live feed continues without a gap.",
  query: Type.Object({
    ...EventFilter.properties,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: eventsPageMax, default: 100, description: `1 to ${eventsPageMax}` }),
    ),
    before: Type.Optional(Type.String({ description: "An event's id: only older ones" })),
  }),
  status: 200,
  reply: Type.Object({
    events: Type.Array(KitEvent, { description: "Newest first" }),
    cursor: Type.String({ description: "Send it as Last-Event-ID to the live feed" }),
    more: Type.Boolean({ description: "Older events exist" }),
  }),
  errors: [...sessionErrors, "payload_invalid", "not_found"],
});

export const getReceipt = operation({
  id: "getReceipt",
  method: "GET",
  path: "/api/events/{id}",
  access: "session",
  says: "The receipt of one event: every state it went through, with time and reason.",
  params: Type.Object({ id: Type.String({ description: "The id from the acknowledgement" }) }),
  status: 200,
  reply: Receipt,
  errors: [...sessionErrors, "not_found"],
});

export const listRefusals = operation({
  id: "listRefusals",
  method: "GET",
  path: "/api/refusals",
  access: "session",
  says: "The requests refused since the launcher started, newest first, with what was expected.",
  status: 200,
  reply: Type.Object({
    refusals: Type.Array(Refusal, { description: "The newest 200 at most" }),
    dropped: Type.Integer({ description: "Number of older refusals that were discarded" }),
  }),
  errors: sessionErrors,
});

export const streamFeed = operation({
  id: "streamFeed",
  method: "GET",
  path: "/api/feed",
  access: "session",
  says: "The live feed: events, receipts and refusals as server-sent events, resumed by Last-Event-ID.",
  query: EventFilter,
  status: 200,
  reply: FeedItem,
  stream: true,
  errors: [...sessionErrors, "too_many_requests"],
});
