// One launcher on the data of a world: it opens the data as a launcher does, and runs until it is stopped or killed.
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { type BodyOf, type MessageOrText, type Operation, type ReplyOf, textOf } from "@kit/contract";
import { findPreviousData } from "../../src/data/previous-data.ts";
import type { Route } from "../../src/http/route.ts";
import { createInboxStore, saveSliceCursor } from "../../src/inbox/inbox-store.ts";
import { createBackup, listBackups } from "../../src/storage/backup.ts";
import { executeDataSwap, isSwapPlanned } from "../../src/storage/data-swap.ts";
import {
  defaultOpenOptions,
  markDatabaseClosed,
  markDatabaseOpen,
  openIntactDatabase,
  wasClosedUncleanly,
} from "../../src/storage/opening.ts";
import { migrateDatabase } from "../../src/storage/schema.ts";
import type { Row } from "../../src/storage/sql.ts";
import { runDatabaseFileOperation } from "../../src/storage/threads/database-file-operations.ts";
import { migrations } from "../support/storage-folder.ts";
import { patienceMs } from "../support/until.ts";
import { createSlicesHere } from "./slices-here.ts";
import { createStorageHere } from "./storage-here.ts";
import type { World } from "./world.ts";

/** Opens the data, after a planned restore, and repairs it. `notices` is what Kit says about it. */
async function openData({ dir }: World): Promise<{ database: DatabaseSync; notices: readonly string[] }> {
  const notices: MessageOrText[] = [];
  if (isSwapPlanned(dir)) {
    const { failed } = executeDataSwap(dir);
    if (failed !== undefined) throw failed;
  }
  const options = { ...defaultOpenOptions, mustCheck: wasClosedUncleanly(dir), runFileTask: runDatabaseFileOperation };
  const database = await openIntactDatabase(dir, migrations, options, notices);
  // Tests of power cuts are elsewhere.
  database.exec("PRAGMA synchronous = OFF");
  await migrateDatabase(database, migrations, async () => undefined);
  markDatabaseOpen(dir);
  return { database, notices: notices.map(textOf) };
}

/** Selects what the slices could do now. */
const workAt = (nowMs: number) => `
  SELECT 1 FROM post WHERE state = 'approved' AND asks IS NULL AND sends_ms <= ${nowMs} AND (attach = 'none' OR footage <> 'pending')
  UNION ALL SELECT 1 FROM post WHERE attach <> 'none' AND footage = 'pending' AND state IN ('draft', 'held', 'approved')
  UNION ALL SELECT 1 FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq JOIN account AS a ON a.id = d.account
    WHERE p.state = 'sending' AND d.state IN ('waiting', 'preparing', 'sending') AND a.enabled AND a.stopped IS NULL
      AND coalesce(a.wait_until_ms, 0) <= ${nowMs}
  UNION ALL SELECT 1 FROM forward_report AS r JOIN forward_target AS t ON t.seq = r.target_seq
    WHERE t.enabled AND t.stopped IS NULL AND coalesce(t.wait_until_ms, 0) <= ${nowMs} LIMIT 1`;

export type Life = Awaited<ReturnType<typeof startLife>>;

/** Opens the data as a launcher does, and starts the slices. `notices` is what Kit says about it. */
export async function startLife(world: World) {
  const { dir, clipsDir, clock } = world;
  const { database, notices } = await openData(world);
  let isOver = false;
  let activity = 0;
  const over = Promise.withResolvers<"killed">();
  const kill = () => {
    isOver = true;
    over.resolve("killed");
  };
  const survives = (at: "read" | "write" = "write") => {
    activity += 1;
    if (at === "write" && !isOver) {
      world.killIn -= 1;
      if (world.killIn <= 0) kill();
    }
    return !isOver;
  };
  const now = () => clock.ms;
  const storage = createStorageHere(database, survives);
  const journal = createInboxStore(storage, () => "saga");
  const { social, monitor, recording, inbox, replacement } = createSlicesHere(world, storage, survives);
  const routes: readonly Route[] = [...social.routes, ...monitor.routes];
  const rows = (text: string): Row[] => database.prepare(text).all() as unknown as Row[];
  const isBusy = () => {
    try {
      return rows(workAt(now())).length > 0;
    } catch {
      // It is damaged, which the slices will find too.
      return false;
    }
  };
  /** Resolves when the slices have nothing to do, or the launcher was killed. */
  const settle = async () => {
    const untilMs = performance.now() + patienceMs;
    for (let calm = 0; calm < 4 && !isOver && !storage.isDamageFound(); ) {
      const before = activity;
      await turn();
      calm = activity === before ? calm + 1 : 0;
      if (calm === 4 && isBusy()) calm = 0;
      if (performance.now() > untilMs) throw new Error("The launcher does not come to rest.");
    }
  };
  const close = (clean: boolean) => {
    isOver = true;
    database.close();
    if (clean) markDatabaseClosed(dir);
  };
  const life = {
    notices,
    storage,
    rows,
    settle,
    over: over.promise,
    isOver: () => isOver,
    accept: (kind: "recording" | "monitor" | "social", body: object) =>
      inbox.accept({
        kind,
        body: { ...body, timestamp: new Date(now()).toISOString() },
        repeated: false,
        origin: null,
        client: "TestEngine/1.0",
        socket: {},
      }),
    /** Hands accepted events to their slices, as the dispatcher does. */
    async dispatch() {
      for (const consumer of [recording, monitor, social]) {
        const cursor = (await journal.loadCursors()).get(consumer.kind) ?? 0;
        const { entries } = await journal.listAfter(cursor, consumer.kind, 500);
        const last = entries.at(-1);
        if (last === undefined) continue;
        const { statements, committed } = await consumer.receive(entries);
        await storage.write(...statements, saveSliceCursor(consumer.kind, last.seq));
        committed();
      }
    },
    async call<O extends Operation>(
      operation: O,
      given: { params?: object; body?: BodyOf<O> | object } = {},
    ): Promise<ReplyOf<O>> {
      const found = routes.find((route) => route.operation === operation);
      return (await found?.answer({ params: {}, query: {}, ...given } as never, undefined as never)) as ReplyOf<O>;
    },
    async backUp(): Promise<string> {
      clock.ms += 1;
      return basename(await createBackup(database, dir.backups, new Date(clock.ms)));
    },
    backups: () => listBackups(dir.backups).map((path) => basename(path)),
    /** Plans the restore, which the next life carries out. Returns the name that the present data gets. */
    restoreBackup: async (name: string) => (await replacement.restoreBackup(join(dir.backups, name))).aside,
    restorePrevious: async (name: string) => (await replacement.restorePreviousData(name)).aside,
    previous: async () =>
      (await findPreviousData({ dir, clipsDir })).filter(({ why }) => why === "restored").map(({ name }) => name),
    /** Ends it as a signal does. */
    async stop() {
      await Promise.all([social.stop(), monitor.stop()]);
      close(true);
    },
    /** Nothing of it happens any more. */
    drop() {
      close(false);
    },
    kill,
  };
  await Promise.race([over.promise, monitor.load().then(social.load)]);
  return life;
}
