// The launcher's storage in a temporary folder: real SQLite, threads and files.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MessageOrText } from "@kit/contract";
import { type DataDir, dataDirAt } from "../../src/storage/data-dir.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";

export const schemaFolder = join(import.meta.dirname, "../../src/storage/schema");
export const migrations = join(schemaFolder, "../migrations");

export type StorageFolder = {
  readonly dir: DataDir;
  readonly storage: Storage;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A new data directory. */
export function makeDataDir(): DataDir {
  return dataDirAt(mkdtempSync(join(tmpdir(), "kit-storage-")));
}

export function removeDataDir(dir: DataDir): void {
  rmSync(dir.path, { recursive: true, force: true });
}

/** Opens the storage of a data directory. It is closed when the test ends. */
export async function openStorageIn(
  dir: DataDir,
  onNotice: (notice: MessageOrText) => void = () => undefined,
): Promise<{ readonly storage: Storage; [Symbol.asyncDispose](): Promise<void> }> {
  const storage = await openStorage(dir, migrations, onNotice);
  return { storage, [Symbol.asyncDispose]: storage.close };
}

export async function openStorageFolder(): Promise<StorageFolder> {
  const dir = makeDataDir();
  const { storage } = await openStorageIn(dir);
  return {
    dir,
    storage,
    async [Symbol.asyncDispose]() {
      await storage.close();
      removeDataDir(dir);
    },
  };
}
