// What the main thread and the storage threads say to each other: flat data only.
import type { SqlValue, Statement } from "./sql.ts";

/** Statements that are committed together or not at all. */
export type Unit = readonly Statement[];

export type StorageThreadOptions = { readonly path: string; readonly migrations: string };

/**
 * Units for the writer: each statement is [number of its text, ...values]. Travels as JSON, which is quicker than
 * cloning and keeps every string exactly; a text goes over once, in `texts`, under the number that follows the last.
 */
export type Batch = {
  readonly texts: readonly string[];
  readonly units: readonly (readonly [number, ...SqlValue[]])[][];
};

export type ToWriter =
  | { type: "open" }
  | { type: "commit"; batch: string }
  | { type: "check" }
  /** Asked while storage fails: whether it does still. */
  | { type: "try" }
  | { type: "close" };

/** `isScarce`: the disk is full and the reserve was given up, to be used by what frees space only. */
export type Failing = { readonly reason: string; readonly isScarce: boolean };

export type FromWriter =
  | { type: "ready" }
  /** `unknown`: this Kit does not know the schema of the data. */
  | { type: "failed"; failing: Failing; inUse: boolean; unknown: boolean }
  /** One entry a unit: null when it is durable, else why it is not. `failing`: the storage itself is at fault. */
  | { type: "committed"; outcomes: readonly (string | null)[]; failing: Failing | null }
  | { type: "tried"; failing: Failing | null }
  /** What happened to the files that their owner should know. `reopened`: the reader holds an old file. */
  | { type: "notice"; notice: string; reopened: boolean }
  | { type: "closed" };

export type ToReader =
  | { type: "read"; id: number; statement: Statement; charsMax: number }
  | { type: "reopen" }
  | { type: "close" };

/** `rows` is JSON; `whole` is false when more rows would have followed. */
export type FromReader =
  | { type: "rows"; id: number; rows: string; whole: boolean }
  | { type: "error"; id: number; reason: string; damaged: boolean };
