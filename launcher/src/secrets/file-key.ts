// The key of the encrypted files: 32 random bytes in a file beside them. It protects secrets in a copy of only some of the
// files, and on a shared screen, but not from somebody who can read this file too.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { moveFile, readIfPresent, replaceFile } from "./atomic-file.ts";
import { keyBytes } from "./sealed.ts";
import { damagedSuffix } from "./secret-record.ts";

export type FileKey = {
  /** Returns undefined if the key is absent or damaged. */
  read(): Promise<Buffer | undefined>;
  /** Returns the key, or creates one. Sets a damaged key file aside. */
  ensure(): Promise<Buffer>;
};

const keyPattern = new RegExp(`^[0-9a-f]{${keyBytes * 2}}$`);

export function createFileKey(folder: string): FileKey {
  const path = join(folder, "key");
  const read = async () => {
    const text = (await readIfPresent(path))?.trim();
    return text !== undefined && keyPattern.test(text) ? Buffer.from(text, "hex") : undefined;
  };
  return {
    read,
    async ensure() {
      const existing = await read();
      if (existing !== undefined) return existing;
      if ((await readIfPresent(path)) !== undefined) await moveFile(path, path + damagedSuffix);
      const key = randomBytes(keyBytes);
      await replaceFile(path, `${key.toString("hex")}\n`);
      return key;
    },
  };
}
