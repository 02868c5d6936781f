// Stores the OBS password in a separate file that only its owner can read. It is never in the database, a reply or the log.
import { readFile, rename, rm, writeFile } from "node:fs/promises";

export type PasswordFile = {
  /** Resolves to null if no password is set. Rejects with file system errors. */
  read(): Promise<string | null>;
  /** null deletes the password. */
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
      // A leftover partial file could have another mode, which writing into it would keep.
      await rm(part, { force: true });
      await writeFile(part, password, { mode: 0o600, flush: true, flag: "wx" });
      await rename(part, path);
    },
  };
}
