// Secrets by name: in the system's keyring where there is one that works, else sealed in a file. Nothing is on disk in plain.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { createSerialQueue } from "../async/serial.ts";
import { createFileKey } from "./file-key.ts";
import type { Keyring } from "./keyring.ts";
import {
  damagedEnd,
  NewerRecord,
  parseRecord,
  readStoredSecrets,
  recordPath,
  type SecretRecord,
  type SecretStore,
} from "./record.ts";
import { seal, unseal } from "./sealed.ts";
import { makeFolder, moveFile, readIfThere, removeFile, replaceFile } from "./whole-file.ts";

/** It was kept and cannot be had. The message says what to do, and holds nothing of it. */
export class SecretUnavailable extends Error {
  override name = "SecretUnavailable";
}

export type SecretsNeeds = {
  /** Made when the first secret is written. */
  readonly folder: string;
  /** Undefined keeps everything in files. */
  readonly keyring: Keyring | undefined;
  /** Something did not go as it should, and was got over. */
  readonly onTrouble: (what: string, error: unknown) => void;
};

export type Secrets = {
  /** Undefined when none was written. Rejects with SecretUnavailable when one was and cannot be had. */
  read(name: string): Promise<string | undefined>;
  /** Resolves when it would outlast a power cut. */
  write(name: string, value: string): Promise<void>;
  /** Rejects, and changes nothing, when the keyring that has it does not give it up. */
  remove(name: string): Promise<void>;
  /** `keyring` when all there are lie there; `file`, the weaker of the two, when one does not or there is none yet. */
  keptIn(): SecretStore;
  /** Where that one lies; `file` when it is not there. */
  placeOf(name: string): SecretStore;
};

const again = "Enter the secret again.";

function assertUsable(value: string): void {
  // The message must not hold the value.
  if (value === "" || !value.isWellFormed()) throw new TypeError("A secret is text of at least one character.");
}

export function createSecrets({ folder, keyring, onTrouble }: SecretsNeeds): Secrets {
  const fileKey = createFileKey(folder);

  const serialize = createSerialQueue();
  const setAside = async (name: string, why: string): Promise<never> => {
    const path = recordPath(folder, name);
    await moveFile(path, path + damagedEnd);
    throw new SecretUnavailable(`What was kept of ${name} cannot be read (${why}); the file was set aside. ${again}`);
  };
  const recordOf = async (name: string): Promise<SecretRecord | undefined> => {
    const path = recordPath(folder, name);
    const text = await readIfThere(path);
    if (text === undefined) {
      if (!existsSync(path + damagedEnd)) return undefined;
      throw new SecretUnavailable(`What was kept of ${name} was damaged. ${again}`);
    }
    try {
      const record = parseRecord(text);
      if (record.name === name) return record;
    } catch (error) {
      if (error instanceof NewerRecord) throw new SecretUnavailable(`A newer Kit keeps ${name}. ${again}`);
    }
    return setAside(name, "its file is damaged");
  };
  const put = async (record: SecretRecord) => {
    const path = recordPath(folder, record.name);
    await replaceFile(path, `${JSON.stringify(record)}\n`);
    await removeFile(path + damagedEnd);
  };

  const readSealed = async (name: string, sealed: string): Promise<string> => {
    const key = await fileKey.read();
    if (key === undefined) return setAside(name, "the key to it is gone");
    try {
      return unseal(key, name, sealed);
    } catch {
      return setAside(name, "it does not fit its key");
    }
  };
  const readFromKeyring = async (name: string, account: string): Promise<string> => {
    if (keyring === undefined) {
      throw new SecretUnavailable(`${name} lies in the system's keyring, which KIT_SECRETS switches off. ${again}`);
    }
    const value = await keyring.read(account).catch((error: Error) => {
      throw new SecretUnavailable(`${name} lies in the system's keyring. ${error.message} Unlock it and try again.`);
    });
    if (value !== undefined) return value;
    throw new SecretUnavailable(`${name} is no longer in the system's keyring. ${again}`);
  };
  const read = async (name: string): Promise<string | undefined> => {
    const record = await recordOf(name);
    if (record === undefined) return undefined;
    if (record.sealed !== undefined) return readSealed(name, record.sealed);
    return readFromKeyring(name, record.account ?? "");
  };
  /** Whether the keyring did it. */
  const tried = async (work: (keyring: Keyring) => Promise<void>): Promise<boolean> => {
    if (keyring === undefined) return false;
    try {
      await work(keyring);
      return true;
    } catch (error) {
      onTrouble("secret in the keyring", error);
      return false;
    }
  };
  const write = async (name: string, value: string) => {
    assertUsable(value);
    await makeFolder(folder);
    const before = await recordOf(name).catch(() => undefined);
    const account = before?.account ?? `${name} ${randomBytes(6).toString("hex")}`;
    if (await tried((keyring) => keyring.write(account, value))) return put({ version: 1, name, account });
    // A keyring that was asked may have it after all: it is told to forget it when the secret is removed.
    const wasAsked = keyring !== undefined || before?.account !== undefined;
    const sealed = seal(await fileKey.make(), name, value);
    await put({ version: 1, name, ...(wasAsked && { account }), sealed });
  };
  const remove = async (name: string) => {
    const record = await recordOf(name).catch(() => undefined);
    const { account, sealed } = record ?? {};
    const isGone = account === undefined || (await tried((keyring) => keyring.remove(account)));
    if (!isGone && sealed === undefined) {
      throw new SecretUnavailable(
        `${name} was not removed: the system's keyring has it and did not answer. Unlock it and try again.`,
      );
    }
    if (!existsSync(folder)) return;
    const path = recordPath(folder, name);
    await removeFile(path);
    await removeFile(path + damagedEnd);
  };

  return {
    read: (name) => serialize(() => read(name)),
    write: (name, value) => serialize(() => write(name, value)),
    remove: (name) => serialize(() => remove(name)),
    keptIn() {
      const places = [...readStoredSecrets(folder).secrets.values()];
      return places.length > 0 && places.every((place) => place === "keyring") ? "keyring" : "file";
    },
    placeOf: (name) => readStoredSecrets(folder).secrets.get(name) ?? "file",
  };
}
