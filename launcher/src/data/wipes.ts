// Wipes of a game: planned with half a minute to undo, and carried out while the launcher is closed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { KitError, type StoredAmounts, type Wipe } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { removePatientlySync, removeWithRetry } from "../renames.ts";
import { listBackups, ownBackupsFile } from "../storage/backup.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { writeFileAtomically } from "../storage/data-swap.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { runDatabaseFileTask } from "../storage/threads/database-file-task.ts";
import { noStoredAmounts } from "./usage.ts";
import { deleteWipe, insertWipe, listPlannedWipes, type PlannedWipe } from "./wipe-store.ts";

const undoMs = 30_000;

export type WipesDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly storedAmounts: () => Promise<ReadonlyMap<string | null, StoredAmounts>>;
  /** Returns true for known games, including games without stored data. */
  readonly hasGame: (game: string) => boolean;
  readonly now: () => number;
  readonly onChanged: () => void;
  /** When the launcher began to open its data. Wipes that were due by then had their try. */
  readonly openedAtMs: number;
  /** Called when a wipe is due, so that the launcher reopens. */
  readonly onDue: () => void;
};

const unsorted = "unsorted";
const keyOf = (game: string) => (game === unsorted ? null : game);

const wipeOf = ({ game, dueMs }: PlannedWipe, amounts: ReadonlyMap<string | null, StoredAmounts>): Wipe => ({
  game: game ?? unsorted,
  holdings: amounts.get(game) ?? noStoredAmounts,
  dueAt: new Date(dueMs).toISOString(),
});

export class Wipes {
  readonly #deps: WipesDeps;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: WipesDeps) {
    this.#deps = deps;
  }

  /** Schedules the next wipe. A wipe that was due at the start and failed waits for the next opening. */
  async scheduleNext(): Promise<void> {
    const { storage, now, openedAtMs, onDue } = this.#deps;
    clearTimeout(this.#timer);
    const [next] = (await listPlannedWipes(storage)).filter(({ dueMs }) => dueMs > openedAtMs);
    if (next !== undefined) this.#timer = setTimeout(onDue, next.dueMs - now()).unref();
  }

  async list(): Promise<Wipe[]> {
    const { storage, storedAmounts } = this.#deps;
    const [wipes, amounts] = await Promise.all([listPlannedWipes(storage), storedAmounts()]);
    return wipes.map((one) => wipeOf(one, amounts));
  }

  /** `dryRun` only reports what would be deleted. A wipe that is already planned keeps its time. */
  async plan(name: string, dryRun: boolean): Promise<Wipe> {
    const { storage, storedAmounts, hasGame, now } = this.#deps;
    const game = keyOf(name);
    const [wipes, amounts] = await Promise.all([listPlannedWipes(storage), storedAmounts()]);
    if (!amounts.has(game) && game !== null && !hasGame(game)) {
      throw new KitError("not_found", message("wipe.unknown_game", { game: name }));
    }
    const before = wipes.find((one) => one.game === game);
    const wipe = before ?? { game, dueMs: now() + undoMs };
    if (dryRun || before !== undefined) return wipeOf(wipe, amounts);
    await storage.write(insertWipe(wipe));
    await this.#changed();
    return wipeOf(wipe, amounts);
  }

  async undo(name: string): Promise<void> {
    const { storage, now } = this.#deps;
    const wipe = (await listPlannedWipes(storage)).find(({ game }) => game === keyOf(name));
    if (wipe === undefined) throw new KitError("not_found", message("wipe.not_planned", { game: name }));
    if (wipe.dueMs <= now()) throw new KitError("payload_invalid", message("wipe.started", { game: name }));
    await storage.write(deleteWipe(wipe.game));
    await this.#changed();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #changed(): Promise<void> {
    await this.scheduleNext();
    this.#deps.onChanged();
  }
}

// A due wipe runs while the launcher is closed, when nothing in memory can write about the game again.

/** All stored data of a game: the statements that delete its rows, and its files and secrets. */
export type GameData = {
  readonly statements: readonly Statement[];
  /** Paths relative to the clips folder. */
  readonly files: readonly string[];
  /** Names of stored secrets. */
  readonly secrets: readonly string[];
};

export type DueWipesDeps = {
  readonly dir: DataDir;
  readonly clipsDir: string;
  readonly now: () => number;
  readonly open: () => Promise<Storage>;
  readonly collectGameData: (storage: Storage, game: string | null) => Promise<GameData>;
  readonly removeSecret: (name: string) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

/** What remains to do after the rows are deleted; stored in a file until it is done. */
type WipeRemainder = {
  readonly games: readonly (string | null)[];
  readonly files: readonly string[];
  readonly secrets: readonly string[];
  /** True if the database was rewritten and only files remain that could not be deleted. */
  readonly isRewritten?: boolean;
};

function readRemainder(dir: DataDir): WipeRemainder | undefined {
  if (!existsSync(dir.pendingWipe)) return undefined;
  return JSON.parse(readFileSync(dir.pendingWipe, "utf8")) as WipeRemainder;
}

/**
 * Joins what two wipes left to do. The result does not count as rewritten, because the database file still contains deleted
 * rows of the newer wipe.
 */
const mergeRemainders = (one: WipeRemainder, other: WipeRemainder): WipeRemainder => ({
  games: [...one.games, ...other.games],
  files: [...one.files, ...other.files],
  secrets: [...one.secrets, ...other.secrets],
});

/** Writes the remainder to disk first, then deletes the rows of all slices and the plan in one transaction. */
async function wipeRows(
  storage: Storage,
  due: readonly (string | null)[],
  needs: DueWipesDeps,
): Promise<WipeRemainder> {
  let rest: WipeRemainder = { games: [], files: [], secrets: [] };
  const statements: Statement[] = [];
  for (const game of due) {
    const leaving = await needs.collectGameData(storage, game);
    statements.push(...leaving.statements, deleteWipe(game));
    rest = mergeRemainders(rest, { games: [game], files: leaving.files, secrets: leaving.secrets });
  }
  // What an earlier wipe left to do. If that wipe is due again, its rows were not deleted, and `rest` already includes its
  // files.
  const before = readRemainder(needs.dir);
  const left =
    before === undefined || before.games.some((game) => due.includes(game)) ? rest : mergeRemainders(before, rest);
  writeFileAtomically(needs.dir.pendingWipe, JSON.stringify(left));
  if (statements.length > 0) await storage.write(...statements);
  return left;
}

/** Deletes backups that the launcher made, and unfinished ones. Backups that a person made stay. */
function removeOwnBackups({ backups }: DataDir): void {
  const persons = new Set(listBackups(backups, "person").map((path) => basename(path)));
  if (!existsSync(backups)) return;
  for (const name of readdirSync(backups))
    if (!persons.has(name) && name !== ownBackupsFile) removePatientlySync(join(backups, name), { force: true });
}

/** Removes each name. Returns those that could not be removed, for example because another program has the file open. */
async function removeEach(names: readonly string[], remove: (name: string) => Promise<void>): Promise<string[]> {
  const left: string[] = [];
  for (const name of names) await remove(name).catch(() => left.push(name));
  return left;
}

/** Deletes files, copies and the launcher's backups, and rewrites the database, whose file still contains deleted rows. */
async function wipeFiles(rest: WipeRemainder, { dir, clipsDir, removeSecret }: DueWipesDeps): Promise<void> {
  const files = await removeEach(rest.files, (file) => removeWithRetry(join(clipsDir, file), { force: true }));
  const secrets = await removeEach(rest.secrets, removeSecret);
  if (!rest.isRewritten) {
    for (const folder of [dir.networkCopies, dir.staging])
      await removeWithRetry(folder, { recursive: true, force: true });
    await runDatabaseFileTask({ type: "vacuum", dataDir: dir.path });
    removeOwnBackups(dir);
  }
  if (files.length + secrets.length === 0) return removePatientlySync(dir.pendingWipe, { force: true });
  writeFileAtomically(
    dir.pendingWipe,
    JSON.stringify({ games: rest.games, files, secrets, isRewritten: true } satisfies WipeRemainder),
  );
  throw new Error(`${files.length + secrets.length} files could not be deleted. Kit retries at the next start.`);
}

/** Returns the games whose wipe is due, or none while the database cannot be read. */
async function listDueGames(storage: Storage, now: () => number): Promise<(string | null)[]> {
  if (storage.state().failing !== null) return [];
  const wipes = await listPlannedWipes(storage).catch(() => []);
  return wipes.filter(({ dueMs }) => dueMs <= now()).map(({ game }) => game);
}

/** Opens the database and carries out due wipes. A failed wipe is reported, and retried at the next opening. */
export async function openAfterWipes(needs: DueWipesDeps): Promise<Storage> {
  const storage = await needs.open();
  const due = await listDueGames(storage, needs.now);
  if (due.length === 0 && readRemainder(needs.dir) === undefined) return storage;
  let rest: WipeRemainder;
  try {
    rest = await wipeRows(storage, due, needs);
  } catch (error) {
    needs.onFailure("wipe of a game", error);
    return storage;
  }
  await storage.close();
  const notKept = (error: unknown) => needs.onFailure("files of a wiped game", error);
  await wipeFiles(rest, needs).catch(notKept);
  const opened = await needs.open();
  // The backup runs in the background, so that games do not wait for it.
  const backedUp = runDatabaseFileTask({ type: "backup", dataDir: needs.dir.path, by: "launcher" }).catch(notKept);
  return { ...opened, close: () => backedUp.then(opened.close) };
}
