// Posts on their way, in SQL: which delivery is next, and how far each is.
import type { Attachment, DeliveryState, Network, PostFootage, PostState, Visibility } from "@kit/contract";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Remembered } from "../networks/network.ts";

/** A delivery with what its post says. */
export type Delivery = {
  readonly seq: number;
  readonly account: string;
  readonly network: Network;
  readonly name: string;
  readonly state: DeliveryState;
  readonly key: string;
  readonly says: string | null;
  readonly nextTryMs: number | null;
  readonly failingMs: number | null;
  readonly committedMs: number | null;
  readonly bare: "offered" | "agreed" | null;
  readonly remembered: Remembered;
  readonly postSeq: number;
  readonly post: string;
  readonly postState: PostState;
  readonly event: string;
  readonly eventSeq: number;
  readonly eventId: string;
  readonly game: string | null;
  readonly text: string;
  readonly altText: string;
  readonly contentWarning: string;
  readonly attach: Attachment;
  readonly without: "ask" | "post";
  readonly visibility: Visibility;
  readonly footage: PostFootage["state"];
  readonly footageSays: string | null;
  readonly happenedMs: number;
};

const numberOf = (value: Row[string] | undefined) => (value == null ? null : Number(value));
const textOf = (value: Row[string] | undefined) => (value == null ? null : String(value));

const deliveryOf = (row: Row): Delivery => ({
  seq: Number(row.seq),
  account: String(row.account),
  network: row.network as Network,
  name: String(row.name),
  state: row.state as DeliveryState,
  key: String(row.key),
  says: textOf(row.says),
  nextTryMs: numberOf(row.nextTryMs),
  failingMs: numberOf(row.failingMs),
  committedMs: numberOf(row.committedMs),
  bare: row.bare as Delivery["bare"],
  remembered: JSON.parse(String(row.remembered)) as Remembered,
  postSeq: Number(row.postSeq),
  post: String(row.post),
  postState: row.postState as PostState,
  event: String(row.event),
  eventSeq: Number(row.eventSeq),
  eventId: String(row.eventId),
  game: textOf(row.game),
  text: String(row.text),
  altText: String(row.altText),
  contentWarning: String(row.contentWarning),
  attach: row.attach as Attachment,
  without: row.without as Delivery["without"],
  visibility: row.visibility as Visibility,
  footage: row.footage as Delivery["footage"],
  footageSays: textOf(row.footageSays),
  happenedMs: Number(row.happenedMs),
});

const dueMax = 50;

export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(storage: Pick<Storage, "read">) {
  /** Those the statement gives the seqs of, in the order in which they were made. */
  const deliveries = async (chosen: Statement): Promise<Delivery[]> => {
    const seqs = (await storage.read(chosen)).map(({ seq }) => Number(seq));
    if (seqs.length === 0) return [];
    const rows = await storage.read(sql`
      SELECT d.seq AS seq, d.account AS account, d.network AS network, d.name AS name, d.state AS state, d.key AS key,
        d.says AS says, d.next_try_ms AS nextTryMs, d.failing_ms AS failingMs, d.committed_ms AS committedMs, d.bare AS bare,
        d.remembered AS remembered, p.seq AS postSeq, p.id AS post, p.state AS postState, p.event AS event,
        p.event_seq AS eventSeq, p.event_id AS eventId, p.game AS game, p.text AS text, p.alt_text AS altText,
        p.content_warning AS contentWarning, p.attach AS attach, p.without AS without, p.visibility AS visibility,
        p.footage AS footage, p.footage_says AS footageSays, p.happened_ms AS happenedMs
      FROM json_each(${JSON.stringify(seqs)}) AS w CROSS JOIN delivery AS d ON d.seq = w.value
      JOIN post AS p ON p.seq = d.post_seq
      ORDER BY d.seq`);
    return rows.map(deliveryOf);
  };
  return {
    /** The oldest that is to be sent to an account. */
    async next(account: string): Promise<Delivery | undefined> {
      const [head] = await deliveries(sql`
        SELECT d.seq AS seq FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq
        WHERE d.account = ${account} AND d.state IN ('waiting', 'preparing', 'sending') AND p.state = 'sending'
        ORDER BY d.seq LIMIT 1`);
      return head;
    },
    /** All of one post. */
    ofPost: (postSeq: number) => deliveries(sql`SELECT seq FROM delivery WHERE post_seq = ${postSeq} ORDER BY seq`),
    async find(post: string, account: string): Promise<Delivery | undefined> {
      const [found] = await deliveries(sql`
        SELECT d.seq AS seq FROM post AS p JOIN delivery AS d ON d.post_seq = p.seq
        WHERE p.id = ${post} AND d.account = ${account}`);
      return found;
    },
    /** What did not end, of posts in any state. */
    unendedOf: (account: string) =>
      deliveries(sql`
        SELECT seq FROM delivery WHERE account = ${account} AND state IN ('waiting', 'preparing', 'sending') ORDER BY seq`),
    /** What was under way. */
    left: () =>
      deliveries(sql`
        SELECT d.seq AS seq FROM post AS p JOIN delivery AS d ON d.post_seq = p.seq
        WHERE p.state = 'sending' AND d.state IN ('preparing', 'sending') ORDER BY d.seq`),
    /** Approved posts whose time to undo is over, and which wait for nothing. */
    async due(nowMs: number): Promise<number[]> {
      const rows = await storage.read(sql`
        SELECT seq FROM post
        WHERE state = 'approved' AND asks IS NULL AND sends_ms <= ${nowMs} AND (attach = 'none' OR footage <> 'pending')
        ORDER BY seq LIMIT ${dueMax}`);
      return rows.map(({ seq }) => Number(seq));
    },
    /** When the next one is; null when none is in sight. */
    async nextDueMs(): Promise<number | null> {
      const [row] = await storage.read(sql`
        SELECT min(sends_ms) AS atMs FROM post
        WHERE state = 'approved' AND asks IS NULL AND (attach = 'none' OR footage <> 'pending')`);
      return numberOf(row?.atMs);
    },
  };
}
