// Does what is due of wipes, between two openings: nothing runs then that could remember the game or write of it again.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { listBackups } from "../storage/backup-names.ts";
import type { DataDir } from "../storage/data-dir.ts";
import { workOnFile } from "../storage/file-work.ts";
import { madeNote } from "../storage/made-backups.ts";
import { writeWhole } from "../storage/reopening.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { ended, plannedWipes } from "./wipe-store.ts";

/** All that is kept of a game: the rows of every slice, and what lies elsewhere. */
export type Leaving = {
  readonly statements: readonly Statement[];
  /** Relative to the clips folder. */
  readonly files: readonly string[];
  /** Names of entrusted secrets. */
  readonly secrets: readonly string[];
};

export type WipingNeeds = {
  readonly dir: DataDir;
  readonly clipsDir: string;
  readonly now: () => number;
  readonly open: () => Promise<Storage>;
  readonly leaving: (storage: Storage, game: string | null) => Promise<Leaving>;
  readonly removeSecret: (name: string) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
};

/** What is left to do once the rows are gone; kept as a file until it is done. */
type Rest = {
  readonly games: readonly (string | null)[];
  readonly files: readonly string[];
  readonly secrets: readonly string[];
  /** The database has nothing of them any more; what is left are files that could not be removed. */
  readonly isRewritten?: boolean;
};

function restIn(dir: DataDir): Rest | undefined {
  if (!existsSync(dir.wiping)) return undefined;
  return JSON.parse(readFileSync(dir.wiping, "utf8")) as Rest;
}

/** The newer one has rows in the database still. */
const joinedRest = (one: Rest, other: Rest): Rest => ({
  games: [...one.games, ...other.games],
  files: [...one.files, ...other.files],
  secrets: [...one.secrets, ...other.secrets],
});

/** What to remove is written down first; then the rows of all slices go in one transaction, and with them the plan to do so. */
async function wipeRows(storage: Storage, due: readonly (string | null)[], needs: WipingNeeds): Promise<Rest> {
  let rest: Rest = { games: [], files: [], secrets: [] };
  const statements: Statement[] = [];
  for (const game of due) {
    const leaving = await needs.leaving(storage, game);
    statements.push(...leaving.statements, ended(game));
    rest = joinedRest(rest, { games: [game], files: leaving.files, secrets: leaving.secrets });
  }
  // Of an earlier wipe whose rows went only; of one that is due again the files are in the list anew.
  const before = restIn(needs.dir);
  const left =
    before === undefined || before.games.some((game) => due.includes(game)) ? rest : joinedRest(before, rest);
  writeWhole(needs.dir.wiping, JSON.stringify(left));
  if (statements.length > 0) await storage.write(...statements);
  return left;
}

/** What is no person's: the launcher's, and what a killed one left half done. */
function removeOwnBackups({ backups }: DataDir): void {
  const persons = new Set(listBackups(backups, "person").map((path) => basename(path)));
  if (!existsSync(backups)) return;
  for (const name of readdirSync(backups))
    if (!persons.has(name) && name !== madeNote) rmSync(join(backups, name), { force: true });
}

/** Those that could not be removed: another program may hold one open. */
async function leftOf(names: readonly string[], remove: (name: string) => Promise<void>): Promise<string[]> {
  const left: string[] = [];
  for (const name of names) await remove(name).catch(() => left.push(name));
  return left;
}

/** Files, copies and the launcher's own backups go; the database is written anew, since a deleted row's bytes stay in its file. */
async function wipeFiles(rest: Rest, { dir, clipsDir, removeSecret }: WipingNeeds): Promise<void> {
  const files = await leftOf(rest.files, (file) => rm(join(clipsDir, file), { force: true }));
  const secrets = await leftOf(rest.secrets, removeSecret);
  if (!rest.isRewritten) {
    for (const folder of [dir.fitted, dir.incoming]) await rm(folder, { recursive: true, force: true });
    await workOnFile({ type: "rewrite", dataDir: dir.path });
    removeOwnBackups(dir);
  }
  if (files.length + secrets.length === 0) return rmSync(dir.wiping, { force: true });
  writeWhole(dir.wiping, JSON.stringify({ games: rest.games, files, secrets, isRewritten: true } satisfies Rest));
  throw new Error(`${files.length + secrets.length} files could not be removed; it is tried again at the next start`);
}

/** Games whose time is over. Where the database cannot be read there are none, until it can. */
async function dueIn(storage: Storage, now: () => number): Promise<(string | null)[]> {
  if (storage.state().failing !== null) return [];
  const wipes = await plannedWipes(storage).catch(() => []);
  return wipes.filter(({ dueMs }) => dueMs <= now()).map(({ game }) => game);
}

/** Opens the database, with what is due wiped. What could not be done is left for the next opening, and said. */
export async function openWiped(needs: WipingNeeds): Promise<Storage> {
  const storage = await needs.open();
  const due = await dueIn(storage, needs.now);
  if (due.length === 0 && restIn(needs.dir) === undefined) return storage;
  let rest: Rest;
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
  // Beside what goes on: games are not kept waiting for it.
  const backedUp = workOnFile({ type: "backup", dataDir: needs.dir.path, by: "launcher" }).catch(notKept);
  return { ...opened, close: () => backedUp.then(opened.close) };
}
