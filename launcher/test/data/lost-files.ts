// Support: does to a launcher's open database files what a person, a clean-up tool or a sync program might do.
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** `elsewhere` is a folder on the same disk. `foreign` is an undamaged database of another Kit with its log. */
export type Surroundings = { readonly dataDir: string; readonly elsewhere: string; readonly foreign: string };

export type Mishap = {
  readonly name: string;
  happen(around: Surroundings): void;
};

const garbage = Buffer.alloc(64 * 1024, "garbage ");

const databaseIn = (dataDir: string) => join(dataDir, "kit.db");
const remove = (...ends: readonly string[]) => {
  return ({ dataDir }: Surroundings) => {
    // Kit may restore a file meanwhile.
    for (const end of ends) rmSync(databaseIn(dataDir) + end, { force: true });
  };
};
export function removeFolder({ dataDir }: Pick<Surroundings, "dataDir">): void {
  try {
    rmSync(dataDir, { recursive: true });
  } catch {
    // A file that Kit restored meanwhile keeps the folder from being deleted.
  }
}
const moveFolder = ({ dataDir, elsewhere }: Surroundings, name = "moved") => renameSync(dataDir, join(elsewhere, name));

/** Moves the folder away and puts something else in its place. Starts again if Kit restored the folder in between. */
function replaceFolder(around: Surroundings, put: (place: string) => void): void {
  for (let attempt = 0; ; attempt++) {
    moveFolder(around, `moved-${attempt}`);
    try {
      return put(around.dataDir);
    } catch (error) {
      if (!/^(EEXIST|EISDIR)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

/** Files and folders that are missing or replaced. */
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
    happen({ dataDir, elsewhere, foreign }) {
      symlinkSync(foreign, join(elsewhere, "link"));
      renameSync(join(elsewhere, "link"), databaseIn(dataDir));
    },
  },
  {
    name: "the folder replaced by an empty one",
    happen: (around) => replaceFolder(around, mkdirSync),
  },
  {
    name: "the folder replaced by a link to an empty one",
    happen(around) {
      const empty = join(around.elsewhere, "empty");
      mkdirSync(empty);
      replaceFolder(around, (place) => symlinkSync(empty, place));
    },
  },
  {
    name: "the folder replaced by a file",
    happen: (around) => replaceFolder(around, (place) => writeFileSync(place, "a file")),
  },
];

/** Writes garbage into the file from its middle on. */
function spoilMiddle(path: string): void {
  const file = openSync(path, "r+");
  writeSync(file, garbage, 0, garbage.length, Math.floor(statSync(path).size / 2));
  closeSync(file);
}
const copyOver = (...ends: readonly string[]) => {
  return ({ dataDir, foreign }: Surroundings) => {
    for (const end of ends) copyFileSync(foreign + end, databaseIn(dataDir) + end);
  };
};

/** Another program writes into the files, which stay in their place. */
export const overwritings: readonly Mishap[] = [
  { name: "another database copied over it", happen: copyOver("") },
  { name: "another database and its log copied over both", happen: copyOver("", "-wal") },
  { name: "another log copied over its log", happen: copyOver("-wal") },
  { name: "garbage written over it", happen: ({ dataDir }) => writeFileSync(databaseIn(dataDir), garbage) },
  { name: "garbage written into its middle", happen: ({ dataDir }) => spoilMiddle(databaseIn(dataDir)) },
  { name: "the database emptied", happen: ({ dataDir }) => truncateSync(databaseIn(dataDir)) },
  { name: "the database cut short", happen: ({ dataDir }) => truncateSync(databaseIn(dataDir), 8192) },
  {
    name: "garbage written over its log",
    happen: ({ dataDir }) => writeFileSync(`${databaseIn(dataDir)}-wal`, garbage),
  },
  { name: "garbage written into its log's middle", happen: ({ dataDir }) => spoilMiddle(`${databaseIn(dataDir)}-wal`) },
  { name: "its log emptied", happen: ({ dataDir }) => truncateSync(`${databaseIn(dataDir)}-wal`) },
];
