// Simulates power cuts at many places of a recording: opens what would be on the disk, and counts missing and damaged events.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { openConnection } from "../src/storage/connection.ts";
import { dataDirAt } from "../src/storage/data-dir.ts";
import { defaultOpenOptions } from "../src/storage/opening.ts";
import { openJournalFile } from "../src/storage/threads/journal-file.ts";
import { randomFrom } from "../test/kill-9/cycles.ts";
import { migrations } from "../test/support/storage-folder.ts";
import type { Recording } from "./record-launcher.ts";
import { RecordedDisk, type SurvivalModel, type SyncBehaviour } from "./recorded-disk.ts";

export type Cut = {
  /** Index of the first operation that does not happen. */
  readonly at: number;
  readonly model: SurvivalModel;
  readonly seed: number;
};

export type CutResults = {
  cuts: number;
  /** Cuts in the middle of a checkpoint: the database file had changes that no sync covered. */
  inCheckpoints: number;
  /** Number of acknowledged events that were looked up, over all cuts. */
  checks: number;
  /** Cuts after which an acknowledged event was missing, different or unreadable. */
  losses: number;
  /** Cuts after which the database was quarantined, or failed SQLite's integrity check. */
  damages: number;
  /** Descriptions of the first failures. */
  examples: string[];
};

export const emptyResults = (): CutResults => ({
  cuts: 0,
  inCheckpoints: 0,
  checks: 0,
  losses: 0,
  damages: 0,
  examples: [],
});

const examplesMax = 5;

/** Returns cuts at random places, sorted by place. */
export function chooseCuts(operations: number, count: number, model: SurvivalModel, seed: number): Cut[] {
  const random = randomFrom(seed);
  const places = Array.from({ length: count }, () => Math.ceil(random() * operations)).sort((a, b) => a - b);
  return places.map((at, index) => ({ at, model, seed: seed * 1_000_003 + index }));
}

type Opened = { readonly lost: number; readonly fault?: string };

/** Tries each cut. Writes the disk states into the folder `place`, which is fastest in memory. */
export async function tryCuts(
  { operations, payloads }: Recording,
  cuts: readonly Cut[],
  syncs: SyncBehaviour,
  place: string,
): Promise<CutResults> {
  const disk = new RecordedDisk(syncs);
  const found = emptyResults();
  const expected = new Map<string, string>();
  let done = 0;
  for (const cut of cuts) {
    for (; done < cut.at; done += 1) {
      const operation = operations[done];
      if (operation === undefined) break;
      disk.apply(operation);
      if (operation.kind === "acknowledge")
        for (const id of operation.ids) {
          const payload = payloads.get(id);
          if (payload !== undefined) expected.set(id, payload);
        }
    }
    found.cuts += 1;
    found.checks += expected.size;
    if (disk.isUnsynced("kit.db")) found.inCheckpoints += 1;
    const folder = mkdtempSync(join(place, "cut-"));
    try {
      write(disk.afterCut(cut.model, randomFrom(cut.seed)), folder);
      note(found, cut, await open(folder, expected));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return found;
}

function note(found: CutResults, { at, model, seed }: Cut, { lost, fault }: Opened): void {
  if (lost > 0) found.losses += 1;
  if (fault !== undefined) found.damages += 1;
  if ((lost === 0 && fault === undefined) || found.examples.length >= examplesMax) return;
  found.examples.push(
    `operation ${at}, ${model} (seed ${seed}): ${lost} lost${fault === undefined ? "" : `, ${fault}`}`,
  );
}

function write(state: ReadonlyMap<string, Buffer>, folder: string): void {
  const root = dirname([...state.keys()].find((path) => path.endsWith("/lock.db")) ?? "/");
  for (const [path, bytes] of state) {
    // Nothing reads the reserve file.
    if (basename(path) === "reserve") continue;
    const target = join(folder, relative(root, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}

/** Opens the folder as the launcher's writer does at a start, and reads every event. */
async function open(folder: string, expected: ReadonlyMap<string, string>): Promise<Opened> {
  const notices: string[] = [];
  try {
    const dir = dataDirAt(folder);
    const file = await openJournalFile(dir, migrations, defaultOpenOptions, notices);
    try {
      const lost = countLost(dir.database, expected);
      const [notice] = notices;
      return notice === undefined ? lost : { ...lost, fault: notice };
    } finally {
      await file.close(true);
    }
  } catch (error) {
    return { lost: expected.size, fault: `could not be opened: ${error}` };
  }
}

function countLost(path: string, expected: ReadonlyMap<string, string>): Opened {
  using database = openConnection(path, "read");
  const statement = database.prepare("SELECT id, event_id, payload FROM event");
  statement.setReturnArrays(true);
  const stored = new Map<string, string>();
  const eventIds = new Set<string>();
  let repeated = 0;
  for (const [id, eventId, payload] of statement.all() as unknown as [string, string | null, string][]) {
    if (stored.has(id) || (eventId !== null && eventIds.has(eventId))) repeated += 1;
    stored.set(id, payload);
    if (eventId !== null) eventIds.add(eventId);
  }
  let lost = 0;
  for (const [id, payload] of expected) if (stored.get(id) !== payload) lost += 1;
  const integrity = String(database.prepare("PRAGMA integrity_check(1)").get()?.integrity_check);
  if (repeated > 0) return { lost, fault: `${repeated} repeated` };
  return integrity === "ok" ? { lost } : { lost, fault: integrity };
}
