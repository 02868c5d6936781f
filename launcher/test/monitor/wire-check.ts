// Checks what is forwarded against what servers publish: Sentry's event schema as strictly as Bugsink can apply it, and the
// protobuf definitions of OpenTelemetry.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { parseEnvelope } from "@sentry/core";
import { Type } from "typebox";
import { Value } from "typebox/value";

// What follows allows only members that Kit sends. Each member of an event was compared by hand with relay/event.schema.json of
// getsentry/sentry-data-schemas at 0106ccf280f0: there it has the same type or a wider one. It calls `event_id` a UUID, but its text
// forbids the dashes. `sdk.settings` and client reports are not in it. No package carries that file, so the tests cannot read it.
const strict = { additionalProperties: false } as const;
const Text = Type.String();
const Unsigned = Type.Integer({ minimum: 0 });
const Frame = Type.Object(
  {
    function: Text,
    in_app: Type.Boolean(),
    filename: Type.Optional(Text),
    lineno: Type.Optional(Unsigned),
    colno: Type.Optional(Unsigned),
  },
  strict,
);
const Exception = Type.Object(
  {
    type: Text,
    value: Text,
    mechanism: Type.Object({ type: Text, handled: Type.Boolean() }, strict),
    stacktrace: Type.Optional(Type.Object({ frames: Type.Array(Frame, { minItems: 1 }) }, strict)),
  },
  strict,
);
const Breadcrumb = Type.Object(
  { timestamp: Type.Number(), category: Text, message: Text, level: Type.Enum(["error", "info"]) },
  strict,
);
const kitCounts = { reports: Unsigned, total: Unsigned, since: Text, until: Text };
const SentryEvent = Type.Object(
  {
    event_id: Type.String({ pattern: "^[0-9a-f]{32}$" }),
    timestamp: Type.Number(),
    platform: Type.Enum(["javascript", "csharp", "other"]),
    level: Type.Enum(["error", "info"]),
    logger: Text,
    release: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    environment: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    user: Type.Optional(Type.Object({ id: Text }, strict)),
    sdk: Type.Object({ name: Text, version: Text }, strict),
    contexts: Type.Object(
      {
        kit: Type.Union([
          Type.Object(kitCounts, strict),
          Type.Object(
            { ...kitCounts, video_url: Text, video_expires: Text, video_object: Text, video_event: Text },
            strict,
          ),
        ]),
      },
      strict,
    ),
    exception: Type.Object({ values: Type.Array(Exception) }, strict),
    fingerprint: Type.Array(Text),
    tags: Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 200 })),
    extra: Type.Object({ count: Unsigned, stack: Type.Optional(Text) }, strict),
    breadcrumbs: Type.Object({ values: Type.Array(Breadcrumb) }, strict),
  },
  strict,
);
const ClientReport = Type.Object(
  {
    timestamp: Type.Number(),
    discarded_events: Type.Array(Type.Object({ reason: Text, category: Text, quantity: Unsigned }, strict)),
  },
  strict,
);

function assertMatches(schema: Type.TSchema, value: unknown): void {
  assert.ok(Value.Check(schema, value), JSON.stringify([Value.Errors(schema, value).slice(0, 3), value]));
}

function assertValidEnvelope(body: string): void {
  const [head, items] = parseEnvelope(body) as unknown as [{ event_id: string }, [{ type: string }, unknown][]];
  assert.deepEqual(
    items.map(([{ type }]) => type).filter((type) => type !== "client_report"),
    ["event"],
  );
  for (const [{ type }, item] of items) {
    assertMatches(type === "event" ? SentryEvent : ClientReport, item);
    if (type === "event") assert.equal((item as { event_id: string }).event_id, head.event_id);
  }
}

/** Asserts that every member of the JSON has a place in the message that protobuf made of it. */
function assertKept(json: unknown, message: unknown, path: string): void {
  if (json === null || typeof json !== "object") return assert.equal(String(message), String(json), path);
  for (const [name, value] of Object.entries(json)) {
    const kept = (message as Record<string, unknown> | undefined)?.[name];
    assert.notEqual(kept, undefined, `${path}/${name} is not in the definitions`);
    assertKept(value, kept, `${path}/${name}`);
  }
}

type Definition = {
  fromObject(json: unknown): unknown;
  toObject(made: unknown, options: object): unknown;
  verify(made: unknown): string | null;
};

function assertValidOtlp(url: string, body: string): void {
  const require = createRequire(import.meta.url);
  const { collector } = require("@kit/otlp-definitions/build/src/generated/root.js").opentelemetry.proto;
  const definition: Definition = url.endsWith("/v1/metrics")
    ? collector.metrics.v1.ExportMetricsServiceRequest
    : collector.logs.v1.ExportLogsServiceRequest;
  const json = JSON.parse(body);
  const made = definition.fromObject(json);
  assert.equal(definition.verify(made), null);
  assertKept(json, definition.toObject(made, { longs: String, arrays: true }), url);
}

/** Throws for a request that a strict server would not store. */
export function assertStorable({ url = "", body }: { readonly url: string | undefined; readonly body: string }): void {
  if (url.endsWith("/envelope/")) assertValidEnvelope(body);
  else assertValidOtlp(url, body);
}
