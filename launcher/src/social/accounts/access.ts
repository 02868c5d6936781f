// What opens an account: given by a person, kept in the secret store under the account's id, read when something is sent.
import { type Account, accountFields, KitError, type Network } from "@kit/contract";
import type { Access, Given } from "../networks/network.ts";

/** Where secrets are kept. */
export type Secrets = {
  read(name: string): Promise<string | undefined>;
  write(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Where that one lies. */
  placeOf(name: string): Account["kept"];
};

export const withoutAccess = "What opens it is not there. Give it again, or remove the account.";

export const secretOf = (id: string) => `account-${id}`;

export function createAccess(secrets: Secrets) {
  return {
    /** Undefined when it is not there. */
    async read(id: string): Promise<Access | undefined> {
      const kept = await secrets.read(secretOf(id));
      if (kept === undefined) return undefined;
      try {
        return JSON.parse(kept) as Access;
      } catch {
        // The parser's own words would hold a piece of it.
        throw new Error("What is kept of it is damaged: give it again.");
      }
    },
    /** Where it lies now. */
    async keep(id: string, access: Access): Promise<Account["kept"]> {
      try {
        await secrets.write(secretOf(id), JSON.stringify(access));
      } catch (error) {
        throw new KitError("storage_unavailable", `What opens it could not be kept. ${(error as Error).message}`);
      }
      return secrets.placeOf(secretOf(id));
    },
    remove: (id: string) => secrets.remove(secretOf(id)),
  };
}

/** Throws KitError for a field the network does not have, or one that is missing. Blanks around a value are not part of it. */
export function checkedGiven(network: Network, fields: Given, kept: Access = {}): Given {
  const known = accountFields[network];
  const unknown = Object.keys(fields).find((name) => !known.some((field) => field.name === name));
  if (unknown !== undefined) {
    const names = known.map(({ name }) => name).join(", ");
    // The name is a person's own and may be anything.
    refuse("/fields", `has a field that ${network} does not know; it takes ${names}`);
  }
  const given = known.flatMap(({ name, label, optional }) => {
    const value = (fields[name] ?? kept[name] ?? "").trim();
    if (value === "" && optional === undefined) refuse(`/fields/${name}`, `is missing: ${label}`);
    return value === "" ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function refuse(path: string, message: string): never {
  throw new KitError("payload_invalid", `The account cannot be connected: ${path} ${message}.`, [{ path, message }]);
}

/** Shorter pieces of an address are words of its own. */
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

/** Takes what opens an account out of a text: a server may well repeat it in what it says. */
export function hiding(network: Network, access: Given): (text: string) => string {
  const secret = accountFields[network].filter((field) => field.secret).map(({ name }) => access[name] ?? "");
  const pieces = secret.flatMap(piecesOf).filter((piece) => piece.length >= pieceCharsMin);
  // The longest first: a piece of it must not be left over.
  const all = [...new Set(pieces)].sort((one, other) => other.length - one.length);
  return (text) => all.reduce((left, piece) => left.replaceAll(piece, "…"), text);
}
