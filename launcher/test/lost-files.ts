// What can happen to the files of a database that a launcher has open, as a person, a clean-up or a sync program does it.
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `elsewhere`: a folder on the same disk; `foreign`: the sound database of another Kit. */
export type Surroundings = { readonly dataDir: string; readonly elsewhere: string; readonly foreign: string };

export type Mishap = {
  readonly name: string;
  happen(around: Surroundings): void;
};

const garbage = Buffer.alloc(64 * 1024, "garbage ");

const databaseIn = (dataDir: string) => join(dataDir, "kit.db");
const remove = (...ends: readonly string[]) => {
  return ({ dataDir }: Surroundings) => {
    for (const end of ends) rmSync(databaseIn(dataDir) + end);
  };
};
export function removeFolder({ dataDir }: Pick<Surroundings, "dataDir">): void {
  try {
    rmSync(dataDir, { recursive: true });
  } catch {
    // What was put back meanwhile is in its way.
  }
}
const moveFolder = ({ dataDir, elsewhere }: Surroundings) => renameSync(dataDir, join(elsewhere, "moved"));

/** Files and folders that are away, or others. */
export const mishaps: readonly Mishap[] = [
  { name: "the database deleted", happen: remove("") },
  { name: "its log deleted", happen: remove("-wal") },
  { name: "the index of its log deleted", happen: remove("-shm") },
  { name: "all three files deleted", happen: remove("", "-wal", "-shm") },
  { name: "the folder deleted", happen: removeFolder },
  { name: "the folder moved", happen: moveFolder },
  {
    name: "the database renamed",
    happen: ({ dataDir }) => renameSync(databaseIn(dataDir), join(dataDir, "kit-old.db")),
  },
  {
    name: "another database moved over it",
    happen({ dataDir, elsewhere, foreign }) {
      copyFileSync(foreign, join(elsewhere, "copy.db"));
      renameSync(join(elsewhere, "copy.db"), databaseIn(dataDir));
    },
  },
  {
    name: "a file that is no database moved over it",
    happen({ dataDir, elsewhere }) {
      writeFileSync(join(elsewhere, "garbage"), garbage);
      renameSync(join(elsewhere, "garbage"), databaseIn(dataDir));
    },
  },
  {
    name: "the database replaced by a link to another",
    happen({ dataDir, foreign }) {
      rmSync(databaseIn(dataDir));
      symlinkSync(foreign, databaseIn(dataDir));
    },
  },
  {
    name: "the folder replaced by an empty one",
    happen(around) {
      moveFolder(around);
      mkdirSync(around.dataDir);
    },
  },
  {
    name: "the folder replaced by a link to an empty one",
    happen(around) {
      moveFolder(around);
      mkdirSync(join(around.elsewhere, "empty"));
      symlinkSync(join(around.elsewhere, "empty"), around.dataDir);
    },
  },
  {
    name: "the folder replaced by a file",
    happen(around) {
      moveFolder(around);
      writeFileSync(around.dataDir, "a file");
    },
  },
];
