// A launcher as far as forwarding needs one: the real monitor and the real forwarding on a real SQLite database in memory, without
// threads and files, so that a test can have many.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type ForwardTarget, gameInWords, textOf } from "@kit/contract";
import { createForwarding, type ForwardingDeps } from "../../src/monitor/forwarding/forwarding.ts";
import type { ReportEntry } from "../../src/monitor/grouping/group.ts";
import { createMonitor } from "../../src/monitor/monitor.ts";
import { type Row, type Statement, sql } from "../../src/storage/sql.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { secretsInMemory } from "../support/secrets-in-memory.ts";
import { schemaFolder } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";
import { noClips } from "./monitor-folder.ts";

function openInMemory(): Storage & { close(): Promise<void> } {
  const database = new DatabaseSync(":memory:");
  const scripts = readdirSync(schemaFolder).filter((file) => file.endsWith(".sql"));
  for (const file of scripts.sort()) database.exec(readFileSync(join(schemaFolder, file), "utf8"));
  const prepared = new Map<string, StatementSync>();
  const prepare = (text: string) => {
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return statement;
  };
  const read = async ({ text, values }: Statement) => prepare(text).all(...values) as unknown as Row[];
  const write = async (...statements: Statement[]) => {
    database.exec("BEGIN");
    try {
      for (const { text, values } of statements) prepare(text).run(...values);
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    read,
    write,
    writeFreeing: write,
    // Later, as with a thread: the caller goes on gathering meanwhile.
    writeDeferred: (gathered) => Promise.resolve().then(() => write(...gathered())),
    readPage: async (statement) => ({ rows: await read(statement), whole: true }),
    load: async () => undefined,
    state: () => {
      throw new Error("Nothing here asks for it");
    },
    isResting: () => false,
    verify: () => undefined,
    damaged: new Promise(() => undefined),
    onReopened: () => undefined,
    close: async () => database.close(),
  };
}
export type SimulatedLauncher = AsyncDisposable & {
  readonly targets: ReturnType<typeof createForwarding>["targets"];
  /** Passes stored reports on as the dispatcher does. */
  take(entries: readonly ReportEntry[]): Promise<void>;
  /** Reports as in a flood: most are only counted. Resolves when all are durable. */
  flood(entry: ReportEntry, times: number): Promise<void>;
  /** Waits until the only target matches. Meanwhile sets the clock to the end of each wait after a failure. */
  afterWaits(clock: { ms: number }, expected: (target: ForwardTarget) => boolean): Promise<ForwardTarget>;
};

export async function startSimulatedLauncher(
  limits: NonNullable<ForwardingDeps["limits"]>,
  now: () => number = Date.now,
): Promise<SimulatedLauncher> {
  const storage = openInMemory();
  const secrets = secretsInMemory();
  const fail = (error: unknown) => {
    throw error;
  };
  const shared = { ...noClips, storage, secrets, now, sentBefore: async () => [], onFailure: fail };
  const forwarding = createForwarding({
    ...shared,
    limits,
    writeDecision: storage.write,
    person: () => ({ user: "", host: "", home: "" }),
  });
  // The monitor has a forwarding of its own, which counts but sends nothing, because it is not loaded.
  const monitor = createMonitor({
    ...shared,
    stateReached: () => sql`SELECT 1`,
    requestClip: () => undefined,
    sourcesOf: async () => [],
    onChanged: () => forwarding.onCommitted(),
    searchPath: "",
    say: textOf,
    gameName: gameInWords,
    onNoticesChanged: () => undefined,
  });
  await forwarding.load();
  const take = async (entries: readonly ReportEntry[]) => {
    const { statements, committed } = await monitor.receive(entries);
    await storage.write(...statements);
    committed();
  };
  return {
    targets: forwarding.targets,
    take,
    async flood(entry, times) {
      const { message = "", stackTrace = "", build } = entry.event.payload;
      const { origin, client, game } = entry.event;
      const report = { message, stackTrace, build, origin, client, game, atMs: Date.parse(entry.event.actsOn) };
      const counted = Array.from({ length: times }, async () => {
        if ((await monitor.rateLimiter.countOrAdmit(report)) !== undefined) return;
        await take([{ ...entry, event: { ...entry.event, id: crypto.randomUUID() } }]);
      });
      await Promise.all(counted);
    },
    afterWaits: (clock, expected) =>
      until(
        "the target as expected",
        async () => {
          const [target] = await forwarding.targets.list();
          if (target === undefined || expected(target)) return target;
          if (target.waitsUntil !== null) {
            clock.ms = Date.parse(target.waitsUntil);
            forwarding.onCommitted();
          }
          return false;
        },
        1,
      ),
    async [Symbol.asyncDispose]() {
      await Promise.all([monitor.stop(), forwarding.stop()]);
      await storage.close();
    },
  };
}
