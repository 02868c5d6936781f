// Messages between the main thread and the storage threads. In a batch of write units, each SQL text is sent once; later statements
// refer to its number.

import type { MessageOrText } from "@kit/contract";
import type { SqlValue, Statement } from "../sql.ts";

/** Statements that are committed together or not at all. Several units can share a transaction. */
export type WriteUnit = readonly Statement[];

export type StorageThreadOptions = { readonly path: string; readonly migrations: string };

/**
 * Units for the writer. Each statement is [number of its SQL text, ...values]. Sent as JSON, which is faster than structured
 * cloning and preserves every string. `texts` contains the SQL texts not sent before, numbered consecutively.
 */
type WriteBatch = {
  readonly texts: readonly string[];
  readonly units: readonly (readonly [number, ...SqlValue[]])[][];
};

export type ToWriter =
  | { type: "open" }
  | { type: "commit"; batch: string }
  /** Sent if the file may be damaged. */
  | { type: "check" }
  /** Sent while storage fails, to find out whether it works again. */
  | { type: "try" }
  | { type: "close" };

/** `usesReserve`: the disk is full and the reserve was released, so only writes that free up space are allowed. */
export type StorageFailure = { readonly reason: MessageOrText; readonly usesReserve: boolean };

export type FromWriter =
  | { type: "ready" }
  /** `unknown`: the data has an unknown schema. */
  | { type: "failed"; failing: StorageFailure; inUse: boolean; unknown: boolean }
  /** One outcome per unit: null if durable, otherwise the error. `failing` is set if the storage itself failed. */
  | { type: "committed"; outcomes: readonly (MessageOrText | null)[]; failing: StorageFailure | null }
  | { type: "tried"; failing: StorageFailure | null }
  /** A notice for the user about the files. `reopened`: the reader has an old file open. */
  | { type: "notice"; notice: MessageOrText; reopened: boolean }
  /** The database was damaged and set aside. */
  | { type: "setAside" }
  | { type: "closed" };

export type ToReader =
  | { type: "read"; id: number; statement: Statement; charsMax: number }
  | { type: "reopen" }
  | { type: "close" };

/** `rows` is JSON. `whole` is false if there are more rows. */
export type FromReader =
  | { type: "rows"; id: number; rows: string; whole: boolean }
  | { type: "error"; id: number; reason: MessageOrText; damaged: boolean };

/** Returns a function that packs units as JSON. It remembers which SQL texts the writer already has. */
export function createBatchPacker(): (units: readonly WriteUnit[]) => string {
  const numbers = new Map<string, number>();
  return (units) => {
    const texts: string[] = [];
    const numberOf = (text: string) => {
      let number = numbers.get(text);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(text, number);
        texts.push(text);
      }
      return number;
    };
    const batch: WriteBatch = {
      units: units.map((unit) => unit.map(({ text, values }) => [numberOf(text), ...values])),
      texts,
    };
    return JSON.stringify(batch);
  };
}

/** Returns a function that unpacks batches, which must arrive in the order in which they were packed. */
export function createBatchUnpacker(): (batch: string) => WriteUnit[] {
  const texts: string[] = [];
  const statementOf = ([number, ...values]: WriteBatch["units"][number][number]): Statement => {
    const text = texts[number];
    if (text === undefined) throw new Error(`Statement ${number} was never announced`);
    return { text, values };
  };
  return (batch) => {
    const { texts: announced, units } = JSON.parse(batch) as WriteBatch;
    texts.push(...announced);
    return units.map((unit) => unit.map(statementOf));
  };
}
