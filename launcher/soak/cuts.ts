// Cuts the power at many places of a recording, opens what would be on the disk as the launcher does, and counts what is missing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { openConnection } from "../src/storage/connection.ts";
import { dataDirAt } from "../src/storage/data-dir.ts";
import { openJournalFile } from "../src/storage/journal-file.ts";
import { noDoubts } from "../src/storage/opening.ts";
import { randomFrom } from "../test/kill9-cycles.ts";
import { migrations } from "../test/storage-folder.ts";
import { type Model, RecordedDisk, type Syncs } from "./recorded-disk.ts";
import type { Recording } from "./recording.ts";

export type Cut = {
  /** The power fails right before this operation of the record. */
  readonly at: number;
  readonly model: Model;
  readonly seed: number;
};

export type Found = {
  cuts: number;
  /** Cuts between the first change to the database file after a sync of it and the next one: in the middle of a checkpoint. */
  inCheckpoints: number;
  /** How many times an acknowledged event was looked for. */
  checks: number;
  /** Cuts after which an acknowledged event was missing, was another, or could not be read. */
  losses: number;
  /** Cuts after which the database was set aside, or SQLite found a fault in it. */
  damages: number;
  /** The first of them, in words. */
  examples: string[];
};

export const nothingFound = (): Found => ({
  cuts: 0,
  inCheckpoints: 0,
  checks: 0,
  losses: 0,
  damages: 0,
  examples: [],
});

const examplesMax = 5;

/** Cuts in the order of the record, spread evenly over the operations. */
export function chooseCuts(operations: number, count: number, model: Model, seed: number): Cut[] {
  const random = randomFrom(seed);
  const places = Array.from({ length: count }, () => Math.ceil(random() * operations)).sort((a, b) => a - b);
  return places.map((at, index) => ({ at, model, seed: seed * 1_000_003 + index }));
}

type Opened = { readonly lost: number; readonly fault?: string };

/** `place`: a folder for the states; memory is quickest. */
export async function tryCuts(
  { operations, payloads }: Recording,
  cuts: readonly Cut[],
  syncs: Syncs,
  place: string,
): Promise<Found> {
  const disk = new RecordedDisk(syncs);
  const found = nothingFound();
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

function note(found: Found, { at, model, seed }: Cut, { lost, fault }: Opened): void {
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
    // Random bytes that nobody reads.
    if (basename(path) === "reserve") continue;
    const target = join(folder, relative(root, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
}

/** Opens the folder as the writer does at a start, and reads every event. */
async function open(folder: string, expected: ReadonlyMap<string, string>): Promise<Opened> {
  const notices: string[] = [];
  try {
    const dir = dataDirAt(folder);
    const file = await openJournalFile(dir, migrations, noDoubts, notices);
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
