// One file a secret: where it is kept, and, where that is the file itself, the sealed text. Whatever happens to one file
// happens to one secret, and its name is known.
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type SecretStore = "keyring" | "file";

/** Without `sealed` the keyring has it. */
export type SecretRecord = {
  readonly version: 1;
  readonly name: string;
  /** What the keyring calls it, where it was ever asked to keep it. */
  readonly account?: string;
  readonly sealed?: string;
};

const recordEnd = ".secret.json";
export const damagedEnd = ".damaged";
const slugCharsMax = 40;

/** A file name on every system; two names never share one. */
export function recordPath(folder: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, slugCharsMax);
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return join(folder, `${slug}.${mark}${recordEnd}`);
}

const storeOf = ({ sealed }: SecretRecord): SecretStore => (sealed === undefined ? "keyring" : "file");

/** A file that a newer Kit wrote; nothing is wrong with it. */
export class NewerRecord extends Error {
  override name = "NewerRecord";
}

/** Throws when it is not a whole record. */
export function parseRecord(text: string): SecretRecord {
  const { version, name, account, sealed } = JSON.parse(text) as Record<string, unknown>;
  if (typeof version === "number" && version > 1) throw new NewerRecord("A newer Kit wrote it.");
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  const isPlaced = typeof account === "string" || typeof sealed === "string";
  if (version !== 1 || typeof name !== "string" || !isText(account) || !isText(sealed) || !isPlaced)
    throw new Error("It is not the record of a secret.");
  return JSON.parse(text) as SecretRecord;
}

export type StoredSecrets = {
  /** By name. */
  readonly secrets: ReadonlyMap<string, SecretStore>;
  /** Files of secrets that could not be read and were set aside. */
  readonly damaged: readonly string[];
};

const entriesIn = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};

function recordIn(path: string): SecretRecord | undefined {
  try {
    return parseRecord(readFileSync(path, "utf8"));
  } catch {
    return undefined; // Whoever asks for the secret is told.
  }
}

/** What lies in the folder, without opening a secret. */
export function readStoredSecrets(folder: string): StoredSecrets {
  const names = entriesIn(folder).map((entry) => entry.name);
  const records = names.filter((name) => name.endsWith(recordEnd)).map((name) => recordIn(join(folder, name)));
  const secrets = records.flatMap((record) => (record === undefined ? [] : [[record.name, storeOf(record)] as const]));
  return {
    secrets: new Map(secrets),
    damaged: names.filter((name) => name.endsWith(recordEnd + damagedEnd)).map((name) => join(folder, name)),
  };
}
