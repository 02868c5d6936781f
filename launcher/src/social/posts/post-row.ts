// A post as its row tells it.
import type { Delivery, Post } from "@kit/contract";
import type { Row } from "../../storage/sql.ts";

/** A post with what is not for the wire. */
export type StoredPost = {
  readonly seq: number;
  /** The event's place in the journal, which may have forgotten it. */
  readonly eventSeq: number;
  readonly without: "ask" | "post";
  /** No person was asked. */
  readonly automatic: boolean;
  /** What texts are filled from once the clip's length is known; null where that changes nothing. */
  readonly textLater: string | null;
  readonly altLater: string | null;
  readonly post: Post;
};

const isoOf = (ms: unknown) => new Date(Number(ms)).toISOString();
const isoOrNull = (ms: unknown) => (ms === null ? null : isoOf(ms));
const textOrNull = (value: unknown) => (value === null ? null : String(value));

export const deliveryOf = (row: Row): Delivery => ({
  account: String(row.account),
  network: row.network as Delivery["network"],
  name: String(row.name),
  state: row.state as Delivery["state"],
  says: textOrNull(row.says),
  tries: Number(row.tries),
  nextTryAt: isoOrNull(row.nextTryMs),
  progress: null,
  sentAt: isoOrNull(row.sentMs),
  link: textOrNull(row.link),
  notes: JSON.parse(String(row.notes)),
});

export function postOf(row: Row, deliveries: readonly Delivery[]): StoredPost {
  const state = row.state as Post["state"];
  const footage = {
    state: row.footage as Post["footage"]["state"],
    says: textOrNull(row.footageSays),
    clip: textOrNull(row.clip),
    seconds: row.clipSeconds === null ? null : Number(row.clipSeconds),
  };
  const post: Post = {
    id: String(row.id),
    state,
    event: String(row.event),
    eventId: String(row.eventId),
    game: textOrNull(row.game),
    rule: textOrNull(row.rule),
    text: String(row.text),
    altText: String(row.altText),
    contentWarning: String(row.contentWarning),
    attach: row.attach as Post["attach"],
    visibility: row.visibility as Post["visibility"],
    footage,
    happenedAt: isoOf(row.happenedMs),
    createdAt: isoOf(row.createdMs),
    expiresAt: state === "draft" ? isoOrNull(row.expiresMs) : null,
    sendsAt: state === "approved" ? isoOrNull(row.sendsMs) : null,
    asks: textOrNull(row.asks),
    deliveries: [...deliveries],
  };
  return {
    seq: Number(row.seq),
    eventSeq: Number(row.eventSeq),
    without: row.without as StoredPost["without"],
    automatic: row.automatic === 1,
    textLater: textOrNull(row.textLater),
    altLater: textOrNull(row.altLater),
    post,
  };
}
