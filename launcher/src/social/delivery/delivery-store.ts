// SQL of deliveries and due posts.
import type {
  Attachment,
  DeliveryState,
  Message,
  MessageOrText,
  Network,
  PostFootage,
  PostPart,
  PostState,
  Visibility,
} from "@kit/contract";
import { fromMessageColumn, numberOrNull, type Row, type Statement, sql, toMessageColumn } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { StoredSteps } from "../networks/network.ts";
import { partOf } from "../posts/post-store.ts";

/** A delivery with the content of its post. */
export type Delivery = {
  readonly seq: number;
  readonly account: string;
  readonly network: Network;
  readonly name: string;
  readonly state: DeliveryState;
  readonly key: string;
  readonly says: MessageOrText | null;
  readonly nextTryMs: number | null;
  readonly failingMs: number | null;
  readonly committedMs: number | null;
  readonly bare: "offered" | "agreed" | null;
  /** The size that its footage must have, since the network refused a larger file. 0: it refused a smaller one too. */
  readonly bytesMax: number | null;
  readonly stored: StoredSteps;
  readonly postSeq: number;
  readonly post: string;
  readonly postState: PostState;
  readonly event: string | null;
  readonly eventSeq: number | null;
  readonly eventId: string | null;
  readonly fromClip: string | null;
  /** The clip's title, if a person made the post from a clip. */
  readonly title: string | null;
  readonly game: string | null;
  readonly text: string;
  readonly altText: string;
  readonly contentWarning: string;
  readonly attach: Attachment;
  readonly without: "ask" | "post";
  readonly visibility: Visibility;
  readonly footage: PostFootage["state"];
  readonly footageSays: MessageOrText | null;
  /** Id of the clip that the draft showed, and which part of it. */
  readonly clip: string | null;
  readonly part: PostPart | null;
  /** Where the clip shows the event; null if its poster shows it. */
  readonly pictureSeconds: number | null;
  readonly happenedMs: number;
  /** Whether its account is the demo's, where nobody else sees the post. */
  readonly demo: boolean;
};

/** Only these columns need parsing. The others have the right types, because the tables are STRICT. */
const deliveryOf = ({ remembered, says, footageSays, part, demo, ...row }: Row) =>
  ({
    ...row,
    demo: demo === 1,
    stored: JSON.parse(String(remembered)),
    says: fromMessageColumn(says),
    footageSays: fromMessageColumn(footageSays),
    part: partOf(part),
  }) as unknown as Delivery;

const dueMax = 50;

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export function createDeliveryStore(storage: Pick<Storage, "read">) {
  /** Reads the deliveries whose `seq` the statement selects, oldest first. */
  const deliveries = async (chosen: Statement): Promise<Delivery[]> => {
    const seqs = (await storage.read(chosen)).map(({ seq }) => Number(seq));
    if (seqs.length === 0) return [];
    const rows = await storage.read(sql`
      SELECT d.seq AS seq, d.account AS account, d.network AS network, d.name AS name, d.state AS state, d.key AS key,
        d.says AS says, d.next_try_ms AS nextTryMs, d.failing_ms AS failingMs, d.committed_ms AS committedMs, d.bare AS bare,
        d.remembered AS remembered, d.bytes_max AS bytesMax, p.seq AS postSeq, p.id AS post, p.state AS postState, p.event AS event,
        p.event_seq AS eventSeq, p.event_id AS eventId, p.from_clip AS fromClip, p.title AS title, p.game AS game, p.text AS text,
        p.alt_text AS altText, p.content_warning AS contentWarning, p.attach AS attach, p.without AS without, p.visibility AS visibility,
        p.footage AS footage, p.footage_says AS footageSays,
        p.clip AS clip, p.part AS part, p.picture_s AS pictureSeconds, p.happened_ms AS happenedMs, d.demo AS demo
      FROM json_each(${JSON.stringify(seqs)}) AS w CROSS JOIN delivery AS d ON d.seq = w.value
      JOIN post AS p ON p.seq = d.post_seq
      ORDER BY d.seq`);
    return rows.map(deliveryOf);
  };
  return {
    /** Returns the oldest delivery to an account that is not finished. */
    async next(account: string): Promise<Delivery | undefined> {
      const [head] = await deliveries(sql`
        SELECT d.seq AS seq FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq
        WHERE d.account = ${account} AND d.state IN ('waiting', 'preparing', 'sending') AND p.state = 'sending'
        ORDER BY d.seq LIMIT 1`);
      return head;
    },
    ofPost: (postSeq: number) => deliveries(sql`SELECT seq FROM delivery WHERE post_seq = ${postSeq} ORDER BY seq`),
    async find(post: string, account: string): Promise<Delivery | undefined> {
      const [found] = await deliveries(sql`
        SELECT d.seq AS seq FROM post AS p JOIN delivery AS d ON d.post_seq = p.seq
        WHERE p.id = ${post} AND d.account = ${account}`);
      return found;
    },
    /** Returns the unfinished deliveries to an account, whatever the state of their posts. */
    unfinishedOf: (account: string) =>
      deliveries(sql`
        SELECT seq FROM delivery WHERE account = ${account} AND state IN ('waiting', 'preparing', 'sending') ORDER BY seq`),
    /** Returns the deliveries that were running when the launcher ended. */
    underWay: () =>
      deliveries(sql`
        SELECT d.seq AS seq FROM post AS p JOIN delivery AS d ON d.post_seq = p.seq
        WHERE p.state = 'sending' AND d.state IN ('preparing', 'sending') ORDER BY d.seq`),
    /** Returns the approved posts whose undo time is over and that wait for no footage. */
    async duePosts(nowMs: number): Promise<number[]> {
      const rows = await storage.read(sql`
        SELECT seq FROM post
        WHERE state = 'approved' AND asks IS NULL AND sends_ms <= ${nowMs} AND (attach = 'none' OR footage <> 'pending')
        ORDER BY seq LIMIT ${dueMax}`);
      return rows.map(({ seq }) => Number(seq));
    },
    /** Returns when the next post is due, or null if there is none. */
    async nextDueMs(): Promise<number | null> {
      const [row] = await storage.read(sql`
        SELECT min(sends_ms) AS atMs FROM post
        WHERE state = 'approved' AND asks IS NULL AND (attach = 'none' OR footage <> 'pending')`);
      return numberOrNull(row?.atMs);
    },
  };
}

/** Gives a due post its next state, unless its approval was undone meanwhile or a person must decide first. */
export const releasePost = (postSeq: number, state: PostState, nowMs: number): Statement => sql`
  UPDATE post SET state = ${state}
  WHERE seq = ${postSeq} AND state = 'approved' AND asks IS NULL AND sends_ms <= ${nowMs}
    AND (attach = 'none' OR footage <> 'pending')`;
export const updatePostState = (postSeq: number, state: PostState): Statement => sql`
  UPDATE post SET state = ${state} WHERE seq = ${postSeq}`;

export const enterDeliveryState = (seq: number, state: "preparing" | "sending"): Statement => sql`
  UPDATE delivery SET state = ${state}, next_try_ms = NULL WHERE seq = ${seq}`;
/** Keeps the time of the first of several attempts, because the post may exist since then. */
export const markDeliveryCommitted = (seq: number, atMs: number): Statement => sql`
  UPDATE delivery SET committed_ms = coalesce(committed_ms, ${atMs}), tries = tries + 1 WHERE seq = ${seq}`;
export const storeDeliverySteps = (seq: number, more: StoredSteps): Statement => sql`
  UPDATE delivery SET remembered = json_patch(remembered, ${JSON.stringify(more)}) WHERE seq = ${seq}`;

export const limitDeliveryBytes = (seq: number, bytesMax: number): Statement => sql`
  UPDATE delivery SET bytes_max = ${bytesMax} WHERE seq = ${seq}`;

export type RetryState = Pick<Delivery, "says" | "nextTryMs" | "failingMs" | "committedMs">;
export const requeueDelivery = (seq: number, { says, nextTryMs, failingMs, committedMs }: RetryState): Statement => sql`
  UPDATE delivery SET state = 'waiting', says = ${toMessageColumn(says)}, next_try_ms = ${nextTryMs}, failing_ms = ${failingMs},
    committed_ms = ${committedMs}
  WHERE seq = ${seq}`;

export type DeliveryEnd = {
  readonly state: "sent" | "maybe" | "failed" | "dropped";
  readonly says: Message | null;
  readonly sentMs?: number;
  readonly link?: string | null;
  readonly notes?: readonly MessageOrText[];
  /** A person was told that sending the post again leaves out the footage. */
  readonly bare?: "offered";
};
export const endDelivery = (seq: number, { state, says, sentMs, link, notes, bare }: DeliveryEnd): Statement => sql`
  UPDATE delivery SET state = ${state}, says = ${toMessageColumn(says)}, next_try_ms = NULL, failing_ms = NULL,
    sent_ms = ${sentMs ?? null}, link = ${link ?? null}, notes = ${JSON.stringify(notes ?? [])}, bare = coalesce(${bare ?? null}, bare)
  WHERE seq = ${seq}`;
/** Lets a delivery start over, with a new idempotency key, so that the network does not recognise it as a repeat. */
export const resetDelivery = (seq: number, key: string): Statement => sql`
  UPDATE delivery SET state = 'waiting', key = ${key}, says = NULL, tries = 0, next_try_ms = NULL, failing_ms = NULL,
    committed_ms = NULL, remembered = '{}', sent_ms = NULL, link = NULL, notes = '[]',
    bare = iif(bare IS NULL, NULL, 'agreed')
  WHERE seq = ${seq}`;
/** Deletes what earlier attempts stored, such as the id of an upload: another account cannot use it. */
export const clearStoredSteps = (account: string): Statement => sql`
  UPDATE delivery SET remembered = '{}' WHERE account = ${account} AND state IN ('waiting', 'preparing', 'sending')`;
