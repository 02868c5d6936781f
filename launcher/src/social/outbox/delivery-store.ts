// SQL statements for the steps of a delivery.
import type { PostState } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { StoredSteps } from "../networks/network.ts";
import type { Delivery } from "./outbox-store.ts";

/** Starts a due post, unless its approval was undone meanwhile or a person must decide. */
export const releasePost = (postSeq: number, state: PostState, nowMs: number): Statement => sql`
  UPDATE post SET state = ${state}
  WHERE seq = ${postSeq} AND state = 'approved' AND asks IS NULL AND sends_ms <= ${nowMs}
    AND (attach = 'none' OR footage <> 'pending')`;
export const updatePostState = (postSeq: number, state: PostState): Statement => sql`
  UPDATE post SET state = ${state} WHERE seq = ${postSeq}`;

export const enterDeliveryState = (seq: number, state: "preparing" | "sending"): Statement => sql`
  UPDATE delivery SET state = ${state}, next_try_ms = NULL WHERE seq = ${seq}`;
/** Keeps the time of the first attempt, because the post may exist from then on. */
export const markDeliveryCommitted = (seq: number, atMs: number): Statement => sql`
  UPDATE delivery SET committed_ms = coalesce(committed_ms, ${atMs}), tries = tries + 1 WHERE seq = ${seq}`;
export const storeDeliverySteps = (seq: number, more: StoredSteps): Statement => sql`
  UPDATE delivery SET remembered = json_patch(remembered, ${JSON.stringify(more)}) WHERE seq = ${seq}`;

export type RetryState = Pick<Delivery, "says" | "nextTryMs" | "failingMs" | "committedMs">;
export const requeueDelivery = (seq: number, { says, nextTryMs, failingMs, committedMs }: RetryState): Statement => sql`
  UPDATE delivery SET state = 'waiting', says = ${says}, next_try_ms = ${nextTryMs}, failing_ms = ${failingMs},
    committed_ms = ${committedMs}
  WHERE seq = ${seq}`;

export type DeliveryEnd = {
  readonly state: "sent" | "maybe" | "failed" | "dropped";
  readonly says: string | null;
  readonly sentMs?: number;
  readonly link?: string | null;
  readonly notes?: readonly string[];
  /** The person was told that sending again omits the footage. */
  readonly bare?: "offered";
};
export const endDelivery = (seq: number, { state, says, sentMs, link, notes, bare }: DeliveryEnd): Statement => sql`
  UPDATE delivery SET state = ${state}, says = ${says}, next_try_ms = NULL, failing_ms = NULL, sent_ms = ${sentMs ?? null},
    link = ${link ?? null}, notes = ${JSON.stringify(notes ?? [])}, bare = coalesce(${bare ?? null}, bare)
  WHERE seq = ${seq}`;
/** Restarts a delivery with a new idempotency key, so that the network takes it for a new post. */
export const resetDelivery = (seq: number, key: string): Statement => sql`
  UPDATE delivery SET state = 'waiting', key = ${key}, says = NULL, tries = 0, next_try_ms = NULL, failing_ms = NULL,
    committed_ms = NULL, remembered = '{}', sent_ms = NULL, link = NULL, notes = '[]',
    bare = iif(bare IS NULL, NULL, 'agreed')
  WHERE seq = ${seq}`;
/** Deletes stored steps, which are useless for another account. */
export const clearStoredSteps = (account: string): Statement => sql`
  UPDATE delivery SET remembered = '{}' WHERE account = ${account} AND state IN ('waiting', 'preparing', 'sending')`;
