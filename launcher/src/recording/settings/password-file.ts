// OBS's password: a file of its own in the data directory, for its owner alone. Never in the database, an answer or the log.
import { readFile, rename, rm, writeFile } from "node:fs/promises";

export type PasswordFile = {
  /** null when none is set. Rejects with what the file system throws. */
  read(): Promise<string | null>;
  /** null forgets it. */
  write(password: string | null): Promise<void>;
};

export function passwordFileAt(path: string): PasswordFile {
  return {
    read: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return null;
        throw error;
      }),
    async write(password) {
      if (password === null) return rm(path, { force: true });
      const part = `${path}.part`;
      // An older part could have another mode, which writing into it would keep.
      await rm(part, { force: true });
      await writeFile(part, password, { mode: 0o600, flush: true, flag: "wx" });
      await rename(part, path);
    },
  };
}
