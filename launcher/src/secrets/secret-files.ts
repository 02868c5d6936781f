// One record file per secret: where the secret is stored, and its encrypted text if it is stored in the file. A damaged file
// affects only one secret.
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeWithRetry, renameWithRetry } from "../renames.ts";

export type SecretPlace = "keyring" | "file";

/** A record without `sealed` means that the keyring stores the secret. */
export type SecretRecord = {
  readonly version: 1;
  readonly name: string;
  /** Account name in the keyring, if the keyring was ever used for this secret. */
  readonly account?: string;
  readonly sealed?: string;
};

const recordSuffix = ".secret.json";
export const damagedSuffix = ".damaged";
const slugCharsMax = 40;

/** Returns a path that is valid on every system and unique for the name. */
export function secretRecordPath(folder: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugCharsMax);
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return join(folder, `${slug}.${mark}${recordSuffix}`);
}

const storeOf = ({ sealed }: SecretRecord): SecretPlace => (sealed === undefined ? "keyring" : "file");

/** The file was written by a newer Kit, and is not damaged. */
export class NewerSecretRecord extends Error {
  override name = "NewerSecretRecord";
}

/** Throws if the text is not a valid record. */
export function parseSecretRecord(text: string): SecretRecord {
  const { version, name, account, sealed } = JSON.parse(text) as Record<string, unknown>;
  if (typeof version === "number" && version > 1) throw new NewerSecretRecord("A newer Kit wrote it.");
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  const isPlaced = typeof account === "string" || typeof sealed === "string";
  if (version !== 1 || typeof name !== "string" || !isText(account) || !isText(sealed) || !isPlaced)
    throw new Error("The file is not a record of a secret.");
  return JSON.parse(text) as SecretRecord;
}

export type StoredSecrets = {
  /** Where each secret is stored, by name. */
  readonly secrets: ReadonlyMap<string, SecretPlace>;
  /** Paths of damaged record files that were set aside. */
  readonly damaged: readonly string[];
};

const listEntries = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

function readRecordFile(path: string): SecretRecord | undefined {
  try {
    return parseSecretRecord(readFileSync(path, "utf8"));
  } catch {
    return undefined; // Reading the secret will report the error.
  }
}

/** Lists the secrets in the folder without decrypting any. */
export function readStoredSecrets(folder: string): StoredSecrets {
  const names = listEntries(folder).map((entry) => entry.name);
  const records = names.filter((name) => name.endsWith(recordSuffix)).map((name) => readRecordFile(join(folder, name)));
  const secrets = records.flatMap((record) => (record === undefined ? [] : [[record.name, storeOf(record)] as const]));
  return {
    secrets: new Map(secrets),
    damaged: names.filter((name) => name.endsWith(recordSuffix + damagedSuffix)).map((name) => join(folder, name)),
  };
}

// Atomic, durable file operations. Files are readable by their owner only.

/** Returns undefined if the file does not exist. */
export async function readFileIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Makes new names in the folder durable. Windows does that by itself. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await using folder = await open(path, "r");
  await folder.sync();
}

/** Creates the folder durably, readable by its owner only. */
export async function ensureFolder(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) await flushFolder(dirname(path));
}

/** Replaces the file in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  // An old partial file could have another mode.
  await removeWithRetry(part, { force: true });
  await writeFile(part, text, { mode: 0o600, flag: "wx", flush: true });
  await renameWithRetry(part, path);
  await flushFolder(dirname(path));
}

export async function removeFile(path: string): Promise<void> {
  await removeWithRetry(path, { force: true });
  await flushFolder(dirname(path));
}

export async function moveFile(from: string, to: string): Promise<void> {
  await renameWithRetry(from, to);
  await flushFolder(dirname(to));
}
