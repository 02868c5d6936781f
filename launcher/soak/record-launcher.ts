// Records what a launcher under load does to its files, and which events it acknowledges.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type LauncherProcess, startLauncherProcess } from "../test/support/own-launcher.ts";
import { until } from "../test/support/until.ts";
import { createLoadLog, type LoadLog, startLoad } from "./load.ts";
import { RecordedDisk } from "./recorded-disk.ts";
import { compileShim, killFile, type Operation, readRecord, shimEnvironment } from "./shim.ts";

export type Recording = {
  readonly operations: readonly Operation[];
  /** The stored payload of each acknowledged event, by id. */
  readonly payloads: ReadonlyMap<string, string>;
};

export type RecordingPlan = {
  /** An empty folder. */
  readonly folder: string;
  readonly acknowledgements: number;
  /** Waits until the idle launcher has checkpointed and shortened the WAL, which takes ten seconds. */
  readonly untilIdle: boolean;
};

const placesIn = (folder: string) => ({
  dataDir: join(folder, "data"),
  record: join(folder, "record"),
  payloads: join(folder, "payloads.json"),
});

/** Runs the launcher three times, ended by SIGTERM, SIGKILL and SIGTERM, and checks that the record matches the files. */
export async function recordLauncher({ folder, acknowledgements, untilIdle }: RecordingPlan): Promise<Recording> {
  const { dataDir, record } = placesIn(folder);
  mkdirSync(dataDir, { recursive: true });
  const library = compileShim(folder);
  // Without a display, nothing is captured: only the journal matters here.
  const env = { DISPLAY: "", WAYLAND_DISPLAY: "", ...shimEnvironment(library, { dataDir, record }) };
  const account = createLoadLog();
  for (const [session, signal] of (["SIGTERM", "SIGKILL", "SIGTERM"] as const).entries()) {
    await using launcher = await startLauncherProcess({ dataDir, env });
    const load = startLoad(launcher.port, `soak${session}`, account);
    await load.waitForAnswers([202], Math.ceil(acknowledgements / 3));
    if (signal === "SIGKILL") await killRecorded(launcher, record);
    // The launcher may be idle long before this process has processor time again.
    const loadedBytes = walBytes(dataDir);
    await load.stop();
    if (untilIdle && session === 2) await walIsShorter(dataDir, loadedBytes);
    await launcher.process().end(signal);
  }
  const operations = readRecord(record);
  assertComplete(operations, account, dataDir);
  return { operations, payloads: savePayloads(folder, account) };
}

/** Saves the stored payloads for `readRecording`. Throws if an acknowledged event is missing or differs from what was sent. */
export function savePayloads(folder: string, account: LoadLog): Recording["payloads"] {
  const { dataDir, payloads } = placesIn(folder);
  const found = payloadsIn(dataDir, account);
  writeFileSync(payloads, JSON.stringify(Object.fromEntries(found)));
  return found;
}

/** Kills the launcher between two file changes. */
export async function killRecorded(launcher: LauncherProcess, record: string): Promise<void> {
  writeFileSync(killFile(record), "");
  await until("the shim kills the launcher", () => !launcher.process().isRunning(), 5);
  rmSync(killFile(record));
}

export function readRecording(folder: string): Recording {
  const { record, payloads } = placesIn(folder);
  const byId = JSON.parse(readFileSync(payloads, "utf8")) as Record<string, string>;
  return { operations: readRecord(record), payloads: new Map(Object.entries(byId)) };
}

const walBytes = (dataDir: string) => statSync(join(dataDir, "kit.db-wal"), { throwIfNoEntry: false })?.size ?? 0;

/** The WAL need not become empty: the launcher can write once more to release free pages. */
async function walIsShorter(dataDir: string, before: number): Promise<void> {
  const what = () => `the idle launcher shortens the WAL: ${before} bytes, now ${walBytes(dataDir)}`;
  await until(what, () => walBytes(dataDir) < before, 50);
}

/** Throws if the record does not explain the current files: an incomplete record would make the cuts meaningless. */
function assertComplete(operations: readonly Operation[], account: LoadLog, dataDir: string): void {
  const disk = new RecordedDisk();
  const acknowledged = new Set<string>();
  for (const operation of operations) {
    disk.apply(operation);
    if (operation.kind === "acknowledge") for (const id of operation.ids) acknowledged.add(id);
  }
  const missed = [...account.acknowledged.keys()].filter((id) => !acknowledged.has(id));
  if (missed.length > 0) throw new Error(`The record misses ${missed.length} acknowledgements`);
  const recorded = disk.cached();
  const there = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of new Set([...there, ...recorded.keys()])) {
    const isSame = existsSync(path) && recorded.get(path)?.equals(readFileSync(path));
    if (!isSame) throw new Error(`The record does not explain the content of ${path}`);
  }
}

function payloadsIn(dataDir: string, { acknowledged }: LoadLog): Map<string, string> {
  using database = new DatabaseSync(join(dataDir, "kit.db"), { readOnly: true });
  const rows = database.prepare("SELECT id, kind, payload FROM event").all();
  const stored = new Map(rows.map((row) => [String(row.id), row]));
  const found = new Map<string, string>();
  for (const [id, sent] of acknowledged) {
    const row = stored.get(id);
    const payload = String(row?.payload ?? "{}");
    const members = JSON.parse(payload) as Record<string, unknown>;
    const isSent = sent.some(
      ({ kind, body }) => kind === row?.kind && Object.entries(body).every(([name, value]) => members[name] === value),
    );
    if (!isSent)
      throw new Error(`Event ${id} was acknowledged, but its stored payload differs from what was sent: ${payload}`);
    found.set(id, payload);
  }
  return found;
}
