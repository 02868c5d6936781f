// A data folder for one launcher after another, in one process without threads and pages: the real slices, storage, backups, repairs and
// restores. Networks and the server that reports are forwarded to are stand-ins.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { logOutput } from "../../src/log.ts";
import { type DataDir, dataDirAt, ensureDataDir } from "../../src/storage/data-dir.ts";
import { migrateDatabase } from "../../src/storage/schema.ts";
import { type ForwardServer, startForwardServer } from "../monitor/forwarding-server.ts";
import { migrations } from "../support/storage-folder.ts";
import type { Arrival, NetworkMood } from "./network-here.ts";

export const clipBytes = 900;

export type World = {
  readonly dir: DataDir;
  readonly clipsDir: string;
  readonly clock: { ms: number };
  readonly secrets: Map<string, string>;
  readonly server: ForwardServer;
  mood: NetworkMood;
  onArrival: (arrival: Arrival) => void;
  /** After how many more writes and requests the launcher is killed. */
  killIn: number;
};

/** What every world of a file shares: an empty database, which is copied, and the server. */
export async function prepareWorlds() {
  const folder = mkdtempSync(join(tmpdir(), "kit-worlds-"));
  const empty = join(folder, "empty.db");
  const database = new DatabaseSync(empty);
  database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
  await migrateDatabase(database, migrations, async () => undefined);
  database.close();
  const server = await startForwardServer();
  const { write } = logOutput;
  logOutput.write = () => undefined;
  let worlds = 0;
  return {
    open(): World & Disposable {
      worlds += 1;
      const dir = dataDirAt(join(folder, `world-${worlds}`));
      ensureDataDir(dir);
      const clipsDir = join(dir.path, "clips");
      mkdirSync(clipsDir);
      writeFileSync(join(clipsDir, "1.mp4"), Buffer.alloc(clipBytes));
      copyFileSync(empty, dir.database);
      return {
        dir,
        clipsDir,
        clock: { ms: Date.UTC(2026, 4, 3, 10, 20, 30) },
        secrets: new Map(),
        server,
        mood: "works",
        onArrival: () => undefined,
        killIn: Number.POSITIVE_INFINITY,
        [Symbol.dispose]: () => rmSync(dir.path, { recursive: true, force: true }),
      };
    },
    async [Symbol.asyncDispose]() {
      logOutput.write = write;
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
