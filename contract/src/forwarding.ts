// Where error reports are sent on to: servers a person named, for games a person named.
import { Type } from "typebox";
import { forwardHeadersMax, forwardTargetsMax } from "./limits.ts";
import { operation } from "./operation.ts";
import { changeErrors, sessionErrors } from "./problem.ts";

const Instant = Type.String({ description: "ISO 8601, UTC, milliseconds" });
const nullable = <S extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(
  schema: S,
  description: string,
) => Type.Union([schema, Type.Null()], { description });

export const forwardKinds = ["sentry", "otlp"] as const;
export const ForwardKind = Type.Enum(forwardKinds, {
  description: "sentry: a server that speaks Sentry's protocol; otlp: a collector that takes OpenTelemetry logs",
});
export type ForwardKind = (typeof forwardKinds)[number];

const Game = nullable(
  Type.String({ minLength: 1, maxLength: 200 }),
  "The game whose reports are sent on; `unsorted` for those without one; null for all",
);

export const ForwardTarget = Type.Object(
  {
    id: Type.String({ description: "UUID v7" }),
    kind: ForwardKind,
    game: Game,
    host: Type.String({ description: "Host and port. The rest of the address is never given out" }),
    project: nullable(Type.String(), "The project of a DSN; null for a collector"),
    enabled: Type.Boolean({ description: "False: nothing is taken for it and nothing is sent" }),
    createdAt: Instant,
    delivered: Type.Integer({ description: "Reports the server confirmed" }),
    lastDeliveredAt: nullable(Type.String(), "null while none was"),
    waiting: Type.Integer({ description: "Reports that are kept until they can be sent" }),
    waitingBytes: Type.Integer({ description: "What these hold, in bytes" }),
    dropped: Type.Integer({ description: "Reports given up: there was no room, or the server will never take them" }),
    lastError: nullable(Type.String(), "What went wrong last; null once one was delivered after it"),
    lastErrorAt: nullable(Type.String(), "When that was"),
    stopped: nullable(Type.String(), "Why nothing is sent until a person did something, and what to do"),
    waitsUntil: nullable(Type.String(), "Nothing is sent before this time"),
    waitsBecause: Type.Union([Type.Enum(["rate-limit", "failure"]), Type.Null()], {
      description: "rate-limit: the server asked for it; failure: the last try failed",
    }),
  },
  { description: "A server that reports are sent on to" },
);
export type ForwardTarget = Type.Static<typeof ForwardTarget>;

const Address = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    "a DSN (sentry) or the https address of a collector (otlp), up to 2,000 characters; never given out again",
});
const Headers = Type.Record(Type.String(), Type.String({ maxLength: 4_096 }), {
  maxProperties: forwardHeadersMax,
  description: `up to ${forwardHeadersMax} headers of requests to a collector, for example its key; never given out again`,
});

export const ForwardTest = Type.Object(
  {
    ok: Type.Boolean({ description: "The server confirmed that it took the test report" }),
    says: Type.String({ description: "The result in one sentence" }),
    status: nullable(Type.Integer(), "The HTTP status it answered with; null where it gave none"),
    answer: nullable(Type.String(), "The beginning of what it answered, without the key; null where it gave none"),
    report: nullable(Type.String(), "The id under which the server knows the test report; null where none was sent"),
  },
  { description: "What a server said to one marked test report" },
);
export type ForwardTest = Type.Static<typeof ForwardTest>;

const params = Type.Object({ id: Type.String({ description: "The target's id" }) });

export const listForwardTargets = operation({
  id: "listForwardTargets",
  method: "GET",
  path: "/api/forwarding",
  access: "session",
  says: "The servers that reports are sent on to, and how each fares.",
  status: 200,
  reply: Type.Object({ targets: Type.Array(ForwardTarget, { description: "The oldest first" }) }),
  errors: sessionErrors,
});

export const addForwardTarget = operation({
  id: "addForwardTarget",
  method: "POST",
  path: "/api/forwarding",
  access: "session",
  says: `Sends reports on to one more server, from now on; ${forwardTargetsMax} at most.`,
  body: Type.Object({
    kind: ForwardKind,
    address: Address,
    headers: Type.Optional(Headers),
    game: Game,
  }),
  status: 201,
  reply: ForwardTarget,
  errors: changeErrors,
});

export const changeForwardTarget = operation({
  id: "changeForwardTarget",
  method: "PUT",
  path: "/api/forwarding/{id}",
  access: "session",
  says: "Changes a target; what is left out stays as it is. `enabled` true also starts one again that was stopped.",
  params,
  body: Type.Object({
    enabled: Type.Optional(Type.Boolean()),
    game: Type.Optional(Game),
    address: Type.Optional(Address),
    headers: Type.Optional(Headers),
  }),
  status: 200,
  reply: ForwardTarget,
  errors: changeErrors,
});

export const removeForwardTarget = operation({
  id: "removeForwardTarget",
  method: "DELETE",
  path: "/api/forwarding/{id}",
  access: "session",
  says: "Forgets a target with its key and with what waits for it.",
  params,
  status: 204,
  errors: changeErrors,
});

export const testForwardTarget = operation({
  id: "testForwardTarget",
  method: "POST",
  path: "/api/forwarding/{id}/test",
  access: "session",
  says: "Sends one report that is marked as a test, now, and says what the server answered. A yes starts a stopped target again.",
  params,
  status: 200,
  reply: ForwardTest,
  errors: changeErrors,
});
