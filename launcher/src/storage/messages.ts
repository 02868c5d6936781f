// What the main thread and the storage threads say to each other: flat data only.
import type { Row, Statement } from "./sql.ts";

/** Statements that are committed together or not at all. */
export type Unit = readonly Statement[];

export type StorageThreadOptions = { readonly path: string; readonly migrations: string };

export type ToWriter = { type: "commit"; units: readonly Unit[] } | { type: "backup" } | { type: "close" };

export type FromWriter =
  /** `notices`: what happened to the files that their owner should know. */
  | { type: "ready"; notices: readonly string[] }
  | { type: "failed"; reason: string; inUse: boolean; newer: boolean }
  /** One entry a unit: null when it is durable, else why it is not. `failing`: the storage itself is at fault. */
  | { type: "committed"; outcomes: readonly (string | null)[]; failing: string | null }
  | { type: "notice"; notice: string; reopened: boolean }
  | { type: "closed" };

export type ToReader = { type: "read"; id: number; statement: Statement } | { type: "reopen" } | { type: "close" };

export type FromReader = { type: "rows"; id: number; rows: readonly Row[] } | { type: "error"; id: number; reason: string };
