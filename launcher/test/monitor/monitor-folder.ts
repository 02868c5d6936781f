// Runs the monitor on a real database, without the rest of the launcher; events come as from the journal.
import { randomUUIDv7 } from "node:crypto";
import { gameInWords, type KitEvent, type MessageOrText, type ReceiptState, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { insertReceiptState } from "../../src/inbox/inbox-store.ts";
import type { ReportEntry } from "../../src/monitor/grouping/group.ts";
import { createReportAnalyser } from "../../src/monitor/grouping/report-analysis.ts";
import { createIssueStore, type IssueStore } from "../../src/monitor/issues/issue-store.ts";
import { createIssues, type Issues } from "../../src/monitor/issues/issues.ts";
import { createMonitor, type Monitor, type MonitorDeps } from "../../src/monitor/monitor.ts";
import { type Statement, sql } from "../../src/storage/sql.ts";
import { secretsInMemory } from "../support/secrets-in-memory.ts";
import { openStorageFolder, type StorageFolder } from "../support/storage-folder.ts";

export const beganMs = Date.UTC(2026, 4, 3, 10, 20, 30);

/** What the monitor needs of recording, where there are no clips. */
export const noClips: Pick<MonitorDeps, "clipOf" | "fitClip"> = {
  clipOf: async () => ({ state: "none", reason: message("footage.clip_gone") }),
  fitClip: async ({ path, bytes }) => ({ path, bytes }),
};

let made = 0;

export type Wanted = {
  readonly stackTrace?: string;
  readonly atMs?: number;
  readonly game?: string;
  readonly client?: string;
  readonly build?: string;
};

/** An accepted report as the dispatcher hands it over. */
export function reportWith(message: string, { stackTrace = "", atMs, game, client, build }: Wanted = {}): ReportEntry {
  made += 1;
  const at = new Date(atMs ?? beganMs).toISOString();
  const event: KitEvent = {
    id: randomUUIDv7(),
    kind: "monitor",
    game: game ?? null,
    eventId: null,
    payload: { message, stackTrace, timestamp: at, ...(build !== undefined && { build }) },
    receivedAt: at,
    actsOn: at,
    status: "accepted",
    state: "accepted",
    notes: [],
    origin: null,
    client: client ?? "TestEngine/1.0 (Linux)",
    intact: true,
  };
  return { seq: made, event };
}

export type MonitorFolder = StorageFolder & {
  readonly monitor: Monitor;
  readonly store: IssueStore;
  readonly issues: Issues;
  readonly clipRequests: readonly string[];
  /** The receipt states that were written, newest last. */
  readonly receiptStates: readonly {
    readonly state: ReceiptState;
    readonly events: number;
    readonly reason: MessageOrText | null;
  }[];
  clock: { ms: number };
  /** Events that the journal returns as sent before an event. */
  before: KitEvent[];
  /** Hands the entries over in batches of that size, each committed. */
  take(entries: readonly ReportEntry[], batchMax?: number): Promise<void>;
  /** Starts another launcher with the same data. */
  restart(): void;
  rows(statement: Statement): Promise<readonly Readonly<Record<string, unknown>>[]>;
  clear(): Promise<void>;
};

export async function openMonitorFolder(changes: Partial<MonitorDeps> = {}): Promise<MonitorFolder> {
  const folder = await openStorageFolder();
  const { storage } = folder;
  const clock = { ms: beganMs };
  const clipRequests: string[] = [];
  const receiptStates: { state: ReceiptState; events: number; reason: MessageOrText | null }[] = [];
  const now = () => clock.ms;
  const sentBefore = async () => opened.before;
  const begin = () =>
    createMonitor({
      ...noClips,
      storage,
      now,
      stateReached(events, state, by, atMs, reason) {
        receiptStates.push({ state, events: events.length, reason });
        return insertReceiptState(events, state, by, atMs, reason);
      },
      requestClip: ({ event }) => clipRequests.push(event),
      sentBefore,
      sourcesOf: async () => [],
      onChanged: () => undefined,
      searchPath: "",
      gameName: gameInWords,
      say: textOf,
      secrets: secretsInMemory(),
      onNoticesChanged: () => undefined,
      ...changes,
    });
  let monitor = begin();
  const store = createIssueStore(storage, now);
  const analyse = createReportAnalyser();
  const sourcesOf = async () => [];
  const { write } = storage;
  const issues = createIssues({
    store,
    write,
    now,
    analyse,
    sentBefore,
    sourcesOf,
    onChanged: () => undefined,
  });
  const opened: MonitorFolder = {
    ...folder,
    get monitor() {
      return monitor;
    },
    store,
    issues,
    clipRequests,
    receiptStates,
    clock,
    before: [],
    async take(entries, batchMax = 500) {
      for (let at = 0; at < entries.length; at += batchMax) {
        const { statements, committed } = await monitor.receive(entries.slice(at, at + batchMax));
        await storage.write(...statements);
        committed();
      }
    },
    restart() {
      void monitor.stop();
      monitor = begin();
    },
    rows: (statement) => storage.read(statement),
    async clear() {
      clock.ms = beganMs;
      clipRequests.length = 0;
      receiptStates.length = 0;
      opened.before = [];
      opened.restart();
      await storage.write(sql`DELETE FROM issue`, sql`DELETE FROM issue_forgotten`);
    },
    async [Symbol.asyncDispose]() {
      await monitor.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}
