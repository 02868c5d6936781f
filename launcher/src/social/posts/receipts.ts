// Statements for the receipts of the events that posts are about.
import type { MessageOrText, ReceiptState } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { StoredPost } from "./post-store.ts";

/** Returns the statement that adds a state to the receipts of events. A receipt may have a state twice, for different reasons. */
export type ReceiptStateStatement = (
  events: readonly { readonly seq: number }[],
  state: ReceiptState,
  by: string,
  atMs: number,
  reason: MessageOrText | null,
) => Statement;

export type ReceiptStatement = (
  kept: Pick<StoredPost, "eventSeq">,
  state: ReceiptState,
  reason: MessageOrText,
) => Statement;

export const createReceiptStatement =
  (stateReached: ReceiptStateStatement, now: () => number): ReceiptStatement =>
  ({ eventSeq }, state, reason) =>
    stateReached(receiptOwner(eventSeq), state, "social", now(), reason);

/** The event whose receipt tells of a post. A post of a clip has none. */
export const receiptOwner = (eventSeq: number | null): readonly { readonly seq: number }[] =>
  eventSeq === null ? [] : [{ seq: eventSeq }];
