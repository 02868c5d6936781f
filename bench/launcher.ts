// Suite `launcher`: how fast events are acknowledged, how soon a start acknowledges the first, and the memory of an idle launcher.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { issuesOnceCounted, sumOf } from "../launcher/test/storm/count.ts";
import { type Generated, generate } from "../launcher/test/storm/generate.ts";
import { type Endpoint, reports } from "../launcher/test/storm/sender.ts";
import {
  ask,
  launcherCommand,
  residentBytesOf,
  type ServerProcess,
  startServer,
} from "../launcher/test/support/launcher-process.ts";
import { callsOf } from "../launcher/test/support/own-launcher.ts";
import { freePort } from "../tools/engines/free-port.ts";
import { pathOf } from "../tools/engines/locate.ts";
import { cpuSecondsOf, inFolder } from "./machine.ts";
import { inTurn, type Run, type Suite } from "./suite.ts";

type Server = ServerProcess & { readonly folder: string };

type Subject = {
  readonly command: (port: number, folder: string) => readonly string[];
  readonly endpoint: Endpoint;
  readonly body: () => string;
  /** How many reports it holds for good. Missing for a subject that stores nothing. */
  readonly stored?: (server: Server, expected: number) => Promise<number>;
};

const message = "Attempt to call function 'open_door' in base 'null instance' on a null instance.";
const stackTrace = "at _on_body_entered (res://levels/castle/door.gd:42)\nat emit_signal (res://player/player.gd:118)";
const report = () => JSON.stringify({ message, stackTrace, timestamp: new Date().toISOString() });

/** The same error as a Sentry envelope. */
function envelope(): string {
  const id = "9ec79c33ec9942ab8353589fcb2e04dc";
  const exception = { values: [{ type: "Error", value: message }] };
  const event = { event_id: id, timestamp: Date.now() / 1_000, platform: "native", level: "error", exception };
  const header = { event_id: id, sent_at: new Date().toISOString() };
  const parts = [header, { type: "event" }, { ...event, extra: { stackTrace } }];
  return `${parts.map((part) => JSON.stringify(part)).join("\n")}\n`;
}

const file = (name: string) => join(import.meta.dirname, name);
const ownServer = (kind: string): Subject => ({
  command: (port, folder) => [
    ...[process.execPath, "--disable-warning=ExperimentalWarning"],
    ...[file("servers.js"), kind, String(port), folder],
  ],
  endpoint: reports,
  body: report,
});

const subjects = {
  Kit: {
    command: launcherCommand,
    endpoint: reports,
    body: report,
    stored: async ({ port, folder }, expected) =>
      sumOf(await issuesOnceCounted(callsOf({ port, dataDir: folder }), expected)),
  },
  bare: ownServer("bare"),
  naive: {
    ...ownServer("naive"),
    async stored({ folder }) {
      using database = new DatabaseSync(join(folder, "naive.db"), { readOnly: true });
      return Number(database.prepare("SELECT count(*) AS n FROM event").get()?.n);
    },
  },
  Spotlight: {
    command: (port) => [
      ...[process.execPath, "--import", file("before-spotlight.js")],
      ...[pathOf("Spotlight"), "server", "--port", String(port)],
    ],
    endpoint: { path: "/stream", contentType: "application/x-sentry-envelope", accepted: 200 },
    body: envelope,
  },
} as const satisfies Readonly<Record<string, Subject>>;

type Name = keyof typeof subjects;
const names = Object.keys(subjects) as Name[];
const subjectOf = (name: Name): Subject => subjects[name];

/** Starts a subject. It is ready when it has acknowledged one report. */
export async function startSubject(name: Name, folder: string): Promise<Server> {
  const { command, endpoint, body } = subjectOf(name);
  const port = await freePort();
  const isReady = async () => (await ask(port, { ...endpoint, body: body() })).status === endpoint.accepted;
  return { ...(await startServer({ command: command(port, folder), port, isReady })), folder };
}

const post = (name: Name, { port }: Server, connections: number, seconds: number) => {
  const { endpoint, body } = subjectOf(name);
  return generate({ port, connections, seconds, client: "BenchEngine/1.0 (Linux)", body: body(), endpoint });
};

const connectionCounts = [1, 64] as const;
const over = (connections: number) => (connections === 1 ? "1 connection" : `${connections} connections`);
const warmUpSeconds = 1;
const started = "ms from the start to the first acknowledgement";

/** Counts what one subject acknowledged in a round, and compares it with what it stored. */
function accountOf(run: Run, name: Name, round: number) {
  // The start is acknowledged too.
  let acknowledged = 1;
  let unanswered = 0;
  return {
    take(load: Generated) {
      acknowledged += load.acknowledged;
      unanswered += load.unanswered;
      const refused = Object.entries(load.refused).map(([status, times]) => `${times} × ${status}`);
      if (refused.length > 0) run.fault(`${name}, round ${round}: refused ${refused.join(", ")}`);
    },
    started: () => {
      acknowledged += 1;
    },
    /** A report without a response may be stored or not. */
    async check(server: Server): Promise<void> {
      const stored = await subjectOf(name).stored?.(server, acknowledged);
      if (stored === undefined || (stored >= acknowledged && stored <= acknowledged + unanswered)) return;
      run.fault(`${name}, round ${round}: ${acknowledged} acknowledged, ${unanswered} unanswered, ${stored} stored`);
    },
  };
}

/** Loads a subject, starts it again with what it stored, and kills Kit under load. */
async function playRound(run: Run, name: Name, round: number, folder: string, seconds: number): Promise<void> {
  const account = accountOf(run, name, round);
  const loaded = await startSubject(name, folder);
  for (const connections of connectionCounts) {
    account.take(await post(name, loaded, connections, warmUpSeconds));
    const load = await post(name, loaded, connections, seconds);
    account.take(load);
    if (load.unanswered > 0) run.fault(`${name}, round ${round}: ${load.unanswered} connections broke`);
    run.add(`events a second, ${over(connections)}`, name, round, load.acknowledged / (load.lastedMs / 1_000));
    run.add(`ms to 99 of 100 acknowledgements, ${over(connections)}`, name, round, load.p99Ms);
  }
  await account.check(loaded);
  await loaded.end("SIGTERM");
  const again = await startSubject(name, folder);
  account.started();
  run.add(started, name, round, again.readyMs);
  if (name !== "Kit") return again.end("SIGTERM");
  const [load] = await Promise.all([post(name, again, 64, 2), pause(1_000).then(() => again.end("SIGKILL"))]);
  account.take(load);
  const killed = await startSubject(name, folder);
  account.started();
  run.add(started, "Kit, killed", round, killed.readyMs);
  await account.check(killed);
  await killed.end("SIGTERM");
}

/** About the number of events of a game in an hour. */
const aFew = 100;
/** Longer than the delay before Kit's journal maintenance. */
const restSecondsMin = 15;
const restSecondsMax = 120;
/** A server is idle if it uses less processor time than this in three seconds. */
const restSecondsOfCore = 0.03;

async function atRest(pids: readonly number[]): Promise<void> {
  for (let second = 0; second < restSecondsMax; second += 3) {
    const before = pids.map((pid) => cpuSecondsOf(pid));
    await pause(3_000);
    const isQuiet = pids.every((pid, index) => cpuSecondsOf(pid) - (before[index] ?? 0) <= restSecondsOfCore);
    if (isQuiet && second + 3 >= restSecondsMin) return;
  }
  throw new Error(`Not all servers came to rest within ${restSecondsMax} s.`);
}

/** Sends events to all subjects, waits until all are idle, and measures all at once. */
async function measureIdle(run: Run, seconds: number, folder: string): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const cases = [
    ["Kit", "Kit", false],
    ["bare", "bare", false],
    ["Kit, after a flood", "Kit", true],
    ["bare, after a flood", "bare", true],
    ["Spotlight, after a flood", "Spotlight", true],
  ] as const;
  const running: { readonly label: string; readonly pid: number }[] = [];
  for (const [label, name, isFlood] of cases) {
    const own = join(folder, label);
    mkdirSync(own);
    const server = await startSubject(name, own);
    opened.defer(() => server.end());
    const { endpoint, body } = subjectOf(name);
    if (isFlood) await post(name, server, 64, seconds);
    else for (let sent = 0; sent < aFew; sent += 1) await ask(server.port, { ...endpoint, body: body() });
    running.push({ label, pid: server.pid });
  }
  await atRest(running.map(({ pid }) => pid));
  for (const { label, pid } of running) run.add("MB while idle", label, 1, residentBytesOf(pid) / 1e6);
}

export const launcher: Suite = {
  says: "events a second, start and idle memory, beside a bare handler, a naive durable one, and Spotlight",
  needs: ["Spotlight"],
  rounds: 5,
  async measure(run) {
    const seconds = run.isQuick ? 1 : 4;
    for (let round = 1; round <= run.rounds; round += 1) {
      run.say(`round ${round} of ${run.rounds}`);
      for (const name of inTurn(names, round)) {
        await inFolder((folder) => playRound(run, name, round, folder, seconds));
      }
    }
    run.say("idle memory");
    await inFolder((folder) => measureIdle(run, seconds, folder));
  },
};
