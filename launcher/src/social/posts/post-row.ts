// Converts rows of the post table.
import type { Delivery, Post } from "@kit/contract";
import { fromMessageColumn } from "../../storage/message-column.ts";
import { isoTime, isoTimeOrNull, textOrNull } from "../../storage/row.ts";
import type { Row } from "../../storage/sql.ts";

/** A post, with members that are not part of the API. */
export type StoredPost = {
  readonly seq: number;
  /** The event's position in the journal. The event itself may have been deleted. */
  readonly eventSeq: number;
  readonly without: "ask" | "post";
  /** Whether the post's rule approved it without asking a person. */
  readonly automatic: boolean;
  /**
   * The templates of text and alternative text, to be filled in again when the clip's length is known. Null if they do not
   * use it.
   */
  readonly textLater: string | null;
  readonly altLater: string | null;
  readonly post: Post;
};

export const deliveryOfRow = (row: Row): Delivery => ({
  account: String(row.account),
  network: row.network as Delivery["network"],
  name: String(row.name),
  state: row.state as Delivery["state"],
  says: fromMessageColumn(row.says),
  tries: Number(row.tries),
  nextTryAt: isoTimeOrNull(row.nextTryMs),
  progress: null,
  sentAt: isoTimeOrNull(row.sentMs),
  link: textOrNull(row.link),
  notes: JSON.parse(String(row.notes)),
});

export function postOfRow(row: Row, deliveries: readonly Delivery[]): StoredPost {
  const state = row.state as Post["state"];
  const footage = {
    state: row.footage as Post["footage"]["state"],
    says: fromMessageColumn(row.footageSays),
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
    happenedAt: isoTime(row.happenedMs),
    createdAt: isoTime(row.createdMs),
    expiresAt: state === "draft" ? isoTimeOrNull(row.expiresMs) : null,
    sendsAt: state === "approved" ? isoTimeOrNull(row.sendsMs) : null,
    asks: fromMessageColumn(row.asks),
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
