// What social says in the receipt of a post's event.
import type { ReceiptState } from "@kit/contract";
import type { Statement } from "../../storage/sql.ts";
import type { StateReached } from "./drafting.ts";
import type { StoredPost } from "./post-row.ts";

export type Said = (kept: Pick<StoredPost, "eventSeq">, state: ReceiptState, reason: string) => Statement;

export const createSaid =
  (stateReached: StateReached, now: () => number): Said =>
  ({ eventSeq }, state, reason) =>
    stateReached([{ seq: eventSeq }], state, "social", now(), reason);
