// The key to the sealed files: 32 random bytes in a file beside them. It keeps a secret out of a copy of one file, a backup
// of the others, a screen that is shared; it does not keep it from who reads this file too.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { damagedEnd } from "./record.ts";
import { keyBytes } from "./sealed.ts";
import { moveFile, readIfThere, replaceFile } from "./whole-file.ts";

export type FileKey = {
  /** Undefined when there is none, or none that is whole. */
  read(): Promise<Buffer | undefined>;
  /** The key; a new one where there is none. What is no key is set aside. */
  make(): Promise<Buffer>;
};

const keyPattern = new RegExp(`^[0-9a-f]{${keyBytes * 2}}$`);

export function createFileKey(folder: string): FileKey {
  const path = join(folder, "key");
  const read = async () => {
    const text = (await readIfThere(path))?.trim();
    return text !== undefined && keyPattern.test(text) ? Buffer.from(text, "hex") : undefined;
  };
  return {
    read,
    async make() {
      const existing = await read();
      if (existing !== undefined) return existing;
      if ((await readIfThere(path)) !== undefined) await moveFile(path, path + damagedEnd);
      const key = randomBytes(keyBytes);
      await replaceFile(path, `${key.toString("hex")}\n`);
      return key;
    },
  };
}
