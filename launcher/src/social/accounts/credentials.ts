// Stores the credentials of accounts in the secret store, and hides them in texts.
import {
  type Account,
  fieldError,
  KitError,
  type Message,
  type MessageOrText,
  type Network,
  networkDescriptions,
  payloadInvalid,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { CredentialsDamaged } from "../../outbox/index.ts";
import type { Credentials, FieldValues } from "../networks/network.ts";

export type AccountSecrets = {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Returns where a secret is stored. */
  placeOf(name: string): Account["kept"];
};

export const accountCredentialsMissing = message("account.no_credentials");

export const secretNameOf = (id: string) => `account-${id}`;

export function createCredentialStore(secrets: AccountSecrets) {
  return {
    /** Returns undefined if there are no stored credentials. Rejects if they are damaged. */
    async read(id: string): Promise<Credentials | undefined> {
      const kept = await secrets.read(secretNameOf(id));
      if (kept === undefined) return undefined;
      try {
        return JSON.parse(kept) as Credentials;
      } catch {
        throw new CredentialsDamaged(message("account.damaged_credentials"));
      }
    },
    /** Stores credentials. Returns where they are stored. */
    async keep(id: string, access: Credentials): Promise<Account["kept"]> {
      try {
        await secrets.write(secretNameOf(id), JSON.stringify(access));
      } catch (error) {
        const problem = (error as Error).message;
        throw new KitError("storage_unavailable", message("account.credentials_not_saved", { problem }));
      }
      return secrets.placeOf(secretNameOf(id));
    },
    remove: (id: string) => secrets.remove(secretNameOf(id)),
  };
}

/** Trims the values, and fills empty ones with those in `kept`. Throws KitError for an unknown or missing field. */
export function completeFields(network: Network, fields: FieldValues, kept: Credentials = {}): FieldValues {
  const known = networkDescriptions[network].fields;
  const unknown = Object.keys(fields).find((name) => !known.some((field) => field.name === name));
  if (unknown !== undefined) {
    const names = known.map(({ name }) => name).join(", ");
    // The message does not repeat the unknown name, because it could be a secret in the wrong place.
    const problem = message("account.unknown_field", { network, names });
    throw payloadInvalid(problem, fieldError("/fields", problem));
  }
  const given = known.flatMap(({ name, optional }) => {
    const value = (fields[name] ?? kept[name] ?? "").trim();
    if (value === "" && optional === undefined) throw invalidField(network, name, message("account.field_missing"));
    return value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** The error for a field, called by its label. The label is also the code of its translation. */
export function invalidField(network: Network, name: string, problem: MessageOrText): KitError {
  const { label = name } = networkDescriptions[network].fields.find((field) => field.name === name) ?? {};
  const field: Message = { text: label, code: label };
  return payloadInvalid(message("account.invalid_field", { field, problem }), fieldError(`/fields/${name}`, problem));
}

/** Parts of a URL with fewer characters are taken for ordinary words, not for secrets. */
const pieceCharsMin = 8;

function piecesOf(value: string): string[] {
  const parts = URL.canParse(value) ? new URL(value).pathname.split("/") : [];
  return [value, ...parts, ...parts.map((part) => decodeURIComponentOr(part))];
}

function decodeURIComponentOr(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns a function that hides credentials in text, because a server may repeat them in its messages. */
export function createSecretHider(network: Network, access: FieldValues): (text: string) => string {
  const secret = networkDescriptions[network].fields
    .filter((field) => field.secret)
    .map(({ name }) => access[name] ?? "");
  const pieces = secret.flatMap(piecesOf).filter((piece) => piece.length >= pieceCharsMin);
  // Replaces the longest first: if a shorter one inside it were replaced first, the rest of the longer one would stay
  // visible.
  const all = [...new Set(pieces)].sort((one, other) => other.length - one.length);
  return (text) => all.reduce((left, piece) => left.replaceAll(piece, "…"), text);
}
