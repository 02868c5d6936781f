// Creates statements for the receipts of posts.
import type { MessageOrText, ReceiptState } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { ReceiptStateStatement } from "./drafting.ts";
import type { StoredPost } from "./post-row.ts";

export type ReceiptStatement = (
  kept: Pick<StoredPost, "eventSeq">,
  state: ReceiptState,
  reason: MessageOrText,
) => Statement;

export const createReceiptStatement =
  (stateReached: ReceiptStateStatement, now: () => number): ReceiptStatement =>
  ({ eventSeq }, state, reason) =>
    stateReached([{ seq: eventSeq }], state, "social", now(), reason);
