// Each step of a delivery, in SQL.
import type { PostState } from "@kit/contract";
import { type Statement, sql } from "../../storage/sql.ts";
import type { Remembered } from "../networks/network.ts";
import type { Delivery } from "./outbox-store.ts";

/** Only while nobody took the approval back, and nothing is asked. */
export const released = (postSeq: number, state: PostState, nowMs: number): Statement => sql`
  UPDATE post SET state = ${state}
  WHERE seq = ${postSeq} AND state = 'approved' AND asks IS NULL AND sends_ms <= ${nowMs}
    AND (attach = 'none' OR footage <> 'pending')`;
export const postReached = (postSeq: number, state: PostState): Statement => sql`
  UPDATE post SET state = ${state} WHERE seq = ${postSeq}`;

export const entered = (seq: number, state: "preparing" | "sending"): Statement => sql`
  UPDATE delivery SET state = ${state}, next_try_ms = NULL WHERE seq = ${seq}`;
/** The first of several counts: from then on the post may be there. */
export const committed = (seq: number, atMs: number): Statement => sql`
  UPDATE delivery SET committed_ms = coalesce(committed_ms, ${atMs}), tries = tries + 1 WHERE seq = ${seq}`;
export const remembering = (seq: number, more: Remembered): Statement => sql`
  UPDATE delivery SET remembered = json_patch(remembered, ${JSON.stringify(more)}) WHERE seq = ${seq}`;

export type Again = Pick<Delivery, "says" | "nextTryMs" | "failingMs" | "committedMs">;
export const waitsAgain = (seq: number, { says, nextTryMs, failingMs, committedMs }: Again): Statement => sql`
  UPDATE delivery SET state = 'waiting', says = ${says}, next_try_ms = ${nextTryMs}, failing_ms = ${failingMs},
    committed_ms = ${committedMs}
  WHERE seq = ${seq}`;

export type End = {
  readonly state: "sent" | "maybe" | "failed" | "dropped";
  readonly says: string | null;
  readonly sentMs?: number;
  readonly link?: string | null;
  readonly notes?: readonly string[];
  /** A person is told that it goes without its footage when it is sent again. */
  readonly bare?: "offered";
};
export const ended = (seq: number, { state, says, sentMs, link, notes, bare }: End): Statement => sql`
  UPDATE delivery SET state = ${state}, says = ${says}, next_try_ms = NULL, failing_ms = NULL, sent_ms = ${sentMs ?? null},
    link = ${link ?? null}, notes = ${JSON.stringify(notes ?? [])}, bare = coalesce(${bare ?? null}, bare)
  WHERE seq = ${seq}`;
/** Under a key of its own: what was sent before is another post. */
export const anew = (seq: number, key: string): Statement => sql`
  UPDATE delivery SET state = 'waiting', key = ${key}, says = NULL, tries = 0, next_try_ms = NULL, failing_ms = NULL,
    committed_ms = NULL, remembered = '{}', sent_ms = NULL, link = NULL, notes = '[]',
    bare = iif(bare IS NULL, NULL, 'agreed')
  WHERE seq = ${seq}`;
/** What was begun with another account is of no use to this one. */
export const begunElsewhere = (account: string): Statement => sql`
  UPDATE delivery SET remembered = '{}' WHERE account = ${account} AND state IN ('waiting', 'preparing', 'sending')`;
