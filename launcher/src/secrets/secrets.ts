// Stores secrets by name: in the system's keyring if it works, otherwise encrypted in a file. Never stores plain text.
// Reports to `kit doctor` where they are.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { detailOf, type Message, MessageError } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue } from "../async.ts";
import type { Keyring } from "./keyring.ts";
import {
  damagedSuffix,
  ensureFolder,
  moveFile,
  NewerSecretRecord,
  parseSecretRecord,
  readFileIfPresent,
  readStoredSecrets,
  removeFile,
  replaceFile,
  type SecretPlace,
  type SecretRecord,
  secretRecordPath,
} from "./secret-files.ts";

const keyBytes = 32;
const cipherName = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts the value with AES-256-GCM, bound to the name: a sealed text under another name is unreadable. */
function seal(key: Buffer, name: string, value: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  const sealed = [nonce, cipher.update(value, "utf8"), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString("base64");
}

/** Throws if a byte was changed, or if the text was not sealed with this key and name. */
function unseal(key: Buffer, name: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const tagAt = bytes.length - tagBytes;
  const nonce = bytes.subarray(0, nonceBytes);
  const opener = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  opener.setAuthTag(bytes.subarray(tagAt));
  return Buffer.concat([opener.update(bytes.subarray(nonceBytes, tagAt)), opener.final()]).toString("utf8");
}

type FileKey = {
  /** Returns undefined if the key is absent or damaged. */
  read(): Promise<Buffer | undefined>;
  /** Returns the key, or creates one. Sets a damaged key file aside. */
  ensure(): Promise<Buffer>;
};

const keyPattern = new RegExp(`^[0-9a-f]{${keyBytes * 2}}$`);

function createFileKey(folder: string): FileKey {
  const path = join(folder, "key");
  const read = async () => {
    const text = (await readFileIfPresent(path))?.trim();
    return text !== undefined && keyPattern.test(text) ? Buffer.from(text, "hex") : undefined;
  };
  return {
    read,
    async ensure() {
      const existing = await read();
      if (existing !== undefined) return existing;
      if ((await readFileIfPresent(path)) !== undefined) await moveFile(path, path + damagedSuffix);
      const key = randomBytes(keyBytes);
      await replaceFile(path, `${key.toString("hex")}\n`);
      return key;
    },
  };
}

/** A stored secret cannot be read. The message says what to do, and never contains the secret. */
export class SecretUnavailable extends MessageError {
  override name = "SecretUnavailable";
}

export type SecretsDeps = {
  /** Created when the first secret is written. */
  readonly folder: string;
  /** If undefined, every secret is stored in a file. */
  readonly keyring: Keyring | undefined;
  /** Called after a keyring error that was handled by using a file instead. */
  readonly onFailure: (what: string, error: unknown) => void;
};

export type Secrets = {
  /** Returns undefined if no secret was written. Rejects with SecretUnavailable if a stored secret cannot be read. */
  read(name: string): Promise<string | undefined>;
  /** Resolves when the secret is durable. */
  write(name: string, value: string): Promise<void>;
  /** Rejects and changes nothing if the keyring does not delete the secret. */
  remove(name: string): Promise<void>;
  /** Returns where a secret is stored, or `file` if it does not exist. */
  placeOf(name: string): SecretPlace;
};

function assertUsable(value: string): void {
  // The message must not contain the value.
  if (value === "" || !value.isWellFormed()) throw new TypeError("A secret is text of at least one character.");
}

export function createSecrets({ folder, keyring, onFailure }: SecretsDeps): Secrets {
  const fileKey = createFileKey(folder);

  const serialize = createSerialQueue();
  const quarantineRecord = async (name: string, why: Message): Promise<never> => {
    const path = secretRecordPath(folder, name);
    await moveFile(path, path + damagedSuffix);
    throw new SecretUnavailable(message("secret.set_aside", { name, why }));
  };
  const readRecord = async (name: string): Promise<SecretRecord | undefined> => {
    const path = secretRecordPath(folder, name);
    const text = await readFileIfPresent(path);
    if (text === undefined) {
      if (!existsSync(path + damagedSuffix)) return undefined;
      throw new SecretUnavailable(message("secret.damaged", { name }));
    }
    try {
      const record = parseSecretRecord(text);
      if (record.name === name) return record;
    } catch (error) {
      if (error instanceof NewerSecretRecord) throw new SecretUnavailable(message("secret.newer", { name }));
    }
    return quarantineRecord(name, message("secret.file_damaged"));
  };
  const writeRecord = async (record: SecretRecord) => {
    const path = secretRecordPath(folder, record.name);
    await replaceFile(path, `${JSON.stringify(record)}\n`);
    await removeFile(path + damagedSuffix);
  };

  const readSealed = async (name: string, sealed: string): Promise<string> => {
    const key = await fileKey.read();
    if (key === undefined) return quarantineRecord(name, message("secret.key_missing"));
    try {
      return unseal(key, name, sealed);
    } catch {
      return quarantineRecord(name, message("secret.other_key"));
    }
  };
  const readFromKeyring = async (name: string, account: string): Promise<string> => {
    if (keyring === undefined) {
      throw new SecretUnavailable(message("secret.keyring_off", { name }));
    }
    const value = await keyring.read(account).catch((error: Error) => {
      throw new SecretUnavailable(message("secret.keyring_locked", { name, problem: detailOf(error) }));
    });
    if (value !== undefined) return value;
    throw new SecretUnavailable(message("secret.not_in_keyring", { name }));
  };
  const read = async (name: string): Promise<string | undefined> => {
    const record = await readRecord(name);
    if (record === undefined) return undefined;
    if (record.sealed !== undefined) return readSealed(name, record.sealed);
    return readFromKeyring(name, record.account ?? "");
  };
  /** Returns false if the keyring failed. */
  const tryKeyring = async (work: (keyring: Keyring) => Promise<void>): Promise<boolean> => {
    if (keyring === undefined) return false;
    try {
      await work(keyring);
      return true;
    } catch (error) {
      onFailure("secret in the keyring", error);
      return false;
    }
  };
  const write = async (name: string, value: string) => {
    assertUsable(value);
    await ensureFolder(folder);
    const before = await readRecord(name).catch(() => undefined);
    const account = before?.account ?? `${name} ${randomBytes(6).toString("hex")}`;
    if (await tryKeyring((keyring) => keyring.write(account, value))) return writeRecord({ version: 1, name, account });
    // The keyring may have stored the secret despite the error, so its account name is kept for the removal.
    const wasAsked = keyring !== undefined || before?.account !== undefined;
    const sealed = seal(await fileKey.ensure(), name, value);
    await writeRecord({ version: 1, name, ...(wasAsked && { account }), sealed });
  };
  const remove = async (name: string) => {
    const record = await readRecord(name).catch(() => undefined);
    const { account, sealed } = record ?? {};
    const isGone = account === undefined || (await tryKeyring((keyring) => keyring.remove(account)));
    if (!isGone && sealed === undefined) {
      throw new SecretUnavailable(message("secret.not_removed", { name }));
    }
    if (!existsSync(folder)) return;
    const path = secretRecordPath(folder, name);
    await removeFile(path);
    await removeFile(path + damagedSuffix);
  };

  return {
    read: (name) => serialize(() => read(name)),
    write: (name, value) => serialize(() => write(name, value)),
    remove: (name) => serialize(() => remove(name)),
    placeOf: (name) => readStoredSecrets(folder).secrets.get(name) ?? "file",
  };
}

type SecretsReport = { readonly ok: boolean; readonly detail: string; readonly fix: string };

/** A name that no secret has. */
const unusedName = "nobody";

/** Returns why the keyring does not answer, or undefined. */
async function keyringFailure(keyring: Keyring): Promise<string | undefined> {
  try {
    await keyring.read(unusedName);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export async function probeSecrets(folder: string, keyring: Keyring | undefined): Promise<SecretsReport> {
  const { secrets, damaged } = readStoredSecrets(folder);
  const places = [...secrets.values()];
  const inKeyring = places.filter((place) => place === "keyring").length;
  const sealed = places.length - inKeyring;
  const failure = keyring === undefined ? "KIT_SECRETS is file" : await keyringFailure(keyring);
  const parts = [
    ...(inKeyring > 0 ? [`${inKeyring} in the system's keyring`] : []),
    ...(sealed > 0
      ? [`${sealed} encrypted in ${folder}, beside the key: whoever can read both files can read them`]
      : []),
    ...(places.length === 0 ? ["none are stored"] : []),
    failure === undefined
      ? "new ones go to the system's keyring, which answers"
      : `new ones are encrypted in a file (${failure.replace(/\.$/, "")})`,
  ];
  const detail = parts.join("; ");
  if (damaged.length > 0) {
    const names = damaged.map((path) => basename(path)).join(", ");
    return {
      ok: false,
      detail: `${damaged.length} damaged and set aside: ${names}; ${detail}`,
      fix: "Enter them again.",
    };
  }
  if (inKeyring > 0 && failure !== undefined) {
    return { ok: false, detail, fix: "Unlock the system's keyring, or enter the secrets again." };
  }
  return { ok: true, detail, fix: "" };
}
