// Tests of the queries that the guide for studios has for the databases of Bugsink and GlitchTip: events that Kit really sent, in tables as those
// programs declare them, some stored as they keep a repeat, beside an event of another program.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { until } from "../support/until.ts";
import { startForwardServer } from "./forwarding-server.ts";
import { reportWith } from "./monitor-folder.ts";
import { startSimulatedLauncher } from "./simulated-launcher.ts";
import { readGuideFile } from "./studio-guide.ts";

/** Both trackers group by the fingerprint that Kit states. */
const issueOf = ({ fingerprint = ["another"] }: Event) =>
  createHash("sha256").update(fingerprint.join()).digest().readUInt32BE();

type Sent = { readonly events: readonly Event[]; readonly expected: readonly { issue_id: number; reports: number }[] };

/** Two launchers, of which one repeats messages whose answer was lost: 61 reports of one issue, 2 of another, and an event without any. */
async function sendReports(): Promise<Sent> {
  await using server = await startForwardServer();
  await using all = new AsyncDisposableStack();
  for (const storm of [20, 39]) {
    server.script = [{ status: 200 }, (response) => void response.destroy()];
    const launcher = all.use(await startSimulatedLauncher({ growthEveryMs: 100, pauseMs: 0 }));
    const address = `http://${"0".repeat(32)}@127.0.0.1:${server.port}/1`;
    await launcher.targets.add({ kind: "sentry", address, game: null });
    const made = (text: string) => reportWith(text, { game: "saga" });
    await launcher.take([made("No door"), made("No lamp")]);
    await launcher.flood(made("No door"), storm);
    await until("all is delivered", async () => (await launcher.targets.list())[0]?.delivered === 2 + storm);
  }
  const events = server.received.map(({ body }) => (parseEnvelope(body) as EventEnvelope)[1][0]?.[1] as Event);
  const ids = new Set(events.map(({ event_id }) => event_id));
  assert.ok(ids.size < events.length, "Kit sent some events twice");
  const [door, lamp] = ["No door", "No lamp"].map((text) =>
    events.find(({ exception }) => exception?.values?.[0]?.value === text),
  );
  assert.ok(door && lamp);
  const another: Event = { event_id: randomUUID().replaceAll("-", ""), contexts: { runtime: { name: "node" } } };
  return {
    events: [...events, another],
    expected: [
      { issue_id: issueOf(door), reports: 61 },
      { issue_id: issueOf(lamp), reports: 2 },
    ],
  };
}

// `Event` in events/models.py of bugsink/bugsink at 5432d0aa2b9c, as far as it matters here. It keeps each id of a project once.
const bugsinkTable = `CREATE TABLE events_event (
  id char(32) NOT NULL PRIMARY KEY, event_id char(32) NOT NULL, issue_id integer NOT NULL, project_id integer NOT NULL,
  data text NOT NULL, storage_backend varchar(255) NULL, UNIQUE (project_id, event_id))`;

test("the query for Bugsink counts exactly", async () => {
  const { events, expected } = await sendReports();
  using database = new DatabaseSync(":memory:");
  database.exec(bugsinkTable);
  const insert = database.prepare("INSERT OR IGNORE INTO events_event VALUES (?, ?, ?, 1, ?, NULL)");
  for (const event of events)
    insert.run(randomUUID().replaceAll("-", ""), event.event_id ?? "", issueOf(event), JSON.stringify(event));
  const rows = database.prepare(readGuideFile("bugsink.sql")).all();
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    expected,
  );
});

// `IssueEvent` in apps/issue_events/models.py of GlitchTip, as far as it matters here. Its table has partitions, so its key also contains
// when the event was received, and it takes a repeat that GlitchTip's cache does not remember. Older versions have the id of the event
// in `id`, newer ones in `event_id`.
const glitchtipTables = {
  id: `CREATE TABLE issue_events_issueevent (
    id uuid, received timestamptz NOT NULL, issue_id bigint NOT NULL, data jsonb NOT NULL, PRIMARY KEY (id, received))`,
  event_id: `CREATE TABLE issue_events_issueevent (
    id uuid, event_id uuid, organization_id int, issue_id bigint NOT NULL, data jsonb NOT NULL, PRIMARY KEY (id, organization_id))`,
};

test("the query for GlitchTip counts exactly, also events that it stored twice", {
  skip: skipWithout("PostgreSQL"),
}, async () => {
  type Rows = { readonly rows: readonly Record<string, unknown>[] };
  type Database = AsyncDisposable & {
    exec(sql: string): Promise<unknown>;
    query(sql: string, values?: unknown[]): Promise<Rows>;
  };
  type Library = { PGlite: { create(): Promise<Database & { close(): Promise<void> }> } };
  const { PGlite } = (await import(pathOf("PostgreSQL"))) as Library;
  const { events, expected } = await sendReports();
  const database = await PGlite.create();
  try {
    for (const [column, table] of Object.entries(glitchtipTables)) {
      await database.exec(`DROP TABLE IF EXISTS issue_events_issueevent; ${table}`);
      for (const [n, event] of events.entries()) {
        // It keeps the contexts of an event under that name.
        const data = JSON.stringify({ contexts: event.contexts });
        const [columns, values] =
          column === "id"
            ? ["id, received", [event.event_id, new Date(1_800_000_000_000 + n * 600_000).toISOString()]]
            : ["id, organization_id, event_id", [randomUUID(), 1, event.event_id]];
        const given = [...values, issueOf(event), data];
        const places = given.map((_, index) => `$${index + 1}`).join();
        await database.query(
          `INSERT INTO issue_events_issueevent (${columns}, issue_id, data) VALUES (${places})`,
          given,
        );
      }
      const { rows } = await database.query(readGuideFile("glitchtip.sql").replaceAll("event_id", column));
      assert.deepEqual(
        rows.map(({ issue_id, reports }) => ({ issue_id, reports: Number(reports) })),
        expected,
        column,
      );
    }
  } finally {
    await database.close();
  }
});
