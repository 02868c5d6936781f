// SQL of posts until a person decides about them. `delivery/` has the SQL of sending them.
import type { Delivery, MessageOrText, Post, PostFootage, PostPart, PostState, Visibility } from "@kit/contract";
import {
  concatSql,
  fromMessageColumn,
  isoTime,
  isoTimeOrNull,
  numberOrNull,
  type Row,
  type Statement,
  sql,
  textOrNull,
  toMessageColumn,
} from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";

/** A post, with members that are not part of the API. */
export type StoredPost = {
  readonly seq: number;
  /** The event's position in the journal; null for a post of a clip. The event itself may have been deleted. */
  readonly eventSeq: number | null;
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

type NewDelivery = Pick<Delivery, "account" | "network" | "name" | "demo"> & { readonly key: string };
/** What a post is about: an event, or a clip that a person chose. */
type PostSource =
  | {
      readonly event: string;
      readonly eventSeq: number;
      readonly eventId: string;
      readonly rule: string;
      readonly fromClip: null;
      readonly title: null;
    }
  | {
      readonly event: null;
      readonly eventSeq: null;
      readonly eventId: string | null;
      readonly rule: null;
      readonly fromClip: string;
      readonly title: string;
    };
export type NewPost = PostSource & {
  readonly id: string;
  readonly game: string | null;
  readonly state: "draft" | "held" | "approved";
  readonly text: string;
  readonly altText: string;
  readonly textLater: string | null;
  readonly altLater: string | null;
  readonly contentWarning: string;
  readonly attach: Post["attach"];
  readonly without: "ask" | "post";
  readonly visibility: Visibility;
  readonly footage: PostFootage;
  readonly asks: MessageOrText | null;
  readonly held: MessageOrText | null;
  readonly automatic: boolean;
  readonly happenedMs: number;
  readonly createdMs: number;
  readonly expiresMs: number | null;
  readonly sendsMs: number | null;
  readonly deliveries: readonly NewDelivery[];
  /** Ids of the events and the clip that a post of a clip shows; empty for a post of an event, which shows that event. */
  readonly moments: readonly string[];
};

export type PostContent = Pick<Post, "text" | "altText" | "contentWarning" | "attach" | "visibility">;
/** The members of a post that can change until it is sent. */
export type PostUpdate = PostContent & {
  readonly textLater: string | null;
  readonly altLater: string | null;
  readonly footage: PostFootage;
  readonly asks: MessageOrText | null;
};

const partColumn = (part: PostPart | null): string | null => (part === null ? null : JSON.stringify(part));
export const partOf = (column: Row[string] | undefined): PostPart | null =>
  (column ?? null) === null ? null : JSON.parse(String(column));

/** Returns the length of what is posted, in seconds. Kit counts milliseconds. */
export const postedSeconds = ({ part, clipSeconds }: Pick<PostFootage, "part" | "clipSeconds">): number | null =>
  part === null ? clipSeconds : Math.round((part.toSeconds - part.fromSeconds) * 1_000) / 1_000;

/** Inserts a post, unless its event already has one. */
export function insertPost(post: NewPost): Statement[] {
  const { footage } = post;
  return [
    sql`
      INSERT INTO post (id, event, event_seq, event_id, from_clip, title, game, rule, state, text, alt_text, text_later,
        alt_later, content_warning, attach, without, visibility, footage, footage_says, clip, clip_seconds, part,
        moment_part, picture_s, asks, held, automatic, happened_ms, created_ms, expires_ms, sends_ms)
      VALUES (${post.id}, ${post.event}, ${post.eventSeq}, ${post.eventId}, ${post.fromClip}, ${post.title}, ${post.game},
        ${post.rule}, ${post.state}, ${post.text}, ${post.altText}, ${post.textLater}, ${post.altLater},
        ${post.contentWarning}, ${post.attach}, ${post.without}, ${post.visibility}, ${footage.state},
        ${toMessageColumn(footage.says)}, ${footage.clip}, ${footage.clipSeconds}, ${partColumn(footage.part)},
        ${partColumn(footage.momentPart)}, ${footage.pictureSeconds}, ${toMessageColumn(post.asks)},
        ${toMessageColumn(post.held)}, ${Number(post.automatic)}, ${post.happenedMs}, ${post.createdMs},
        ${post.expiresMs}, ${post.sendsMs})
      ON CONFLICT (event) DO NOTHING`,
    sql`
      INSERT INTO delivery (post_seq, account, network, name, state, key, demo)
      SELECT post.seq, value ->> 'account', value ->> 'network', value ->> 'name', 'waiting', value ->> 'key', value ->> 'demo'
      FROM json_each(${JSON.stringify(post.deliveries)}), post WHERE post.id = ${post.id}`,
    ...(post.moments.length === 0
      ? []
      : [
          sql`
      INSERT OR IGNORE INTO post_moment (moment, post_seq)
      SELECT value, post.seq FROM json_each(${JSON.stringify(post.moments)}), post WHERE post.id = ${post.id}`,
        ]),
  ];
}

export function updatePost(seq: number, { footage, ...post }: PostUpdate): Statement {
  return sql`
    UPDATE post SET text = ${post.text}, alt_text = ${post.altText}, text_later = ${post.textLater},
      alt_later = ${post.altLater}, content_warning = ${post.contentWarning}, attach = ${post.attach},
      visibility = ${post.visibility}, asks = ${toMessageColumn(post.asks)}, footage = ${footage.state}, footage_says = ${toMessageColumn(footage.says)},
      clip = ${footage.clip}, clip_seconds = ${footage.clipSeconds}, part = ${partColumn(footage.part)},
      moment_part = ${partColumn(footage.momentPart)}, picture_s = ${footage.pictureSeconds}
    WHERE seq = ${seq} AND state IN ('draft', 'held', 'approved', 'skipped', 'expired')`;
}

export const approvePost = (seq: number, sendsMs: number): Statement => sql`
  UPDATE post SET state = 'approved', sends_ms = ${sendsMs}, expires_ms = NULL, asks = NULL, automatic = 0
  WHERE seq = ${seq} AND state IN ('draft', 'held')`;

/** Makes a post a draft again, unless it is being sent. */
export const returnToDraft = (seq: number, expiresMs: number, asks: MessageOrText | null): Statement => sql`
  UPDATE post SET state = 'draft', sends_ms = NULL, expires_ms = ${expiresMs}, asks = ${toMessageColumn(asks)}, automatic = 0
  WHERE seq = ${seq} AND state IN ('draft', 'approved', 'skipped', 'expired')`;

/** A draft or a held post that a person skipped, or that has expired. */
export const closeDraft = (seq: number, state: "skipped" | "expired"): Statement => sql`
  UPDATE post SET state = ${state}, expires_ms = NULL WHERE seq = ${seq} AND state IN ('draft', 'held')`;

/** Deletes the oldest finished posts beyond `keep` posts. */
export const deleteOldestPosts = (keep: number): Statement => sql`
  DELETE FROM post WHERE seq IN (
    SELECT seq FROM post WHERE state IN ('sent', 'unsure', 'failed', 'skipped', 'expired')
    ORDER BY seq LIMIT max(0, (SELECT count(*) FROM post) - ${keep}))`;

const columns = sql`
  SELECT seq, id, event, event_seq AS eventSeq, event_id AS eventId, from_clip AS fromClip, title, game, state, text, alt_text AS altText,
    text_later AS textLater, alt_later AS altLater, content_warning AS contentWarning, attach, without, visibility,
    footage, footage_says AS footageSays, clip, clip_seconds AS clipSeconds,
    part, moment_part AS momentPart, picture_s AS pictureSeconds, asks, held, automatic,
    happened_ms AS happenedMs, created_ms AS createdMs, expires_ms AS expiresMs, sends_ms AS sendsMs,
    (SELECT id FROM post_rule WHERE id = post.rule) AS rule
  FROM post`;
const selectPosts = ({ text, values }: Statement): Statement => ({
  text: `${columns.text}${text}`,
  values: [...columns.values, ...values],
});

/**
 * Whether another post of a moment of post `p` went to the account of delivery `d`, or may have, or will. The clip of an
 * event's post is known only later, so it is not among its moments.
 */
const isAlreadyPosted = sql`
  p.state IN ('draft', 'held') AND EXISTS (
    SELECT 1 FROM (SELECT moment FROM post_moment WHERE post_seq = p.seq UNION ALL SELECT p.clip UNION ALL SELECT p.event) AS shown
      JOIN post AS q ON q.seq <> p.seq
        AND (q.event = shown.moment OR q.seq IN (SELECT post_seq FROM post_moment WHERE moment = shown.moment))
      JOIN delivery AS theirs ON theirs.post_seq = q.seq AND theirs.account = d.account
    WHERE theirs.state IN ('sent', 'maybe')
      OR (theirs.state IN ('waiting', 'preparing', 'sending') AND q.state IN ('approved', 'sending')))`;

const deliveryOfRow = (row: Row): Delivery => ({
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
  already: row.already === 1,
  demo: row.demo === 1,
});

function postOfRow(row: Row, deliveries: readonly Delivery[]): StoredPost {
  const state = row.state as Post["state"];
  const footage = {
    state: row.footage as Post["footage"]["state"],
    says: fromMessageColumn(row.footageSays),
    clip: textOrNull(row.clip),
    clipSeconds: numberOrNull(row.clipSeconds),
    part: partOf(row.part),
    momentPart: partOf(row.momentPart),
    pictureSeconds: numberOrNull(row.pictureSeconds),
  };
  const post: Post = {
    id: String(row.id),
    state,
    event: textOrNull(row.event),
    eventId: textOrNull(row.eventId),
    fromClip: textOrNull(row.fromClip),
    title: textOrNull(row.title),
    game: textOrNull(row.game),
    rule: textOrNull(row.rule),
    text: String(row.text),
    altText: String(row.altText),
    contentWarning: String(row.contentWarning),
    attach: row.attach as Post["attach"],
    visibility: row.visibility as Post["visibility"],
    footage: { ...footage, seconds: postedSeconds(footage) },
    happenedAt: isoTime(row.happenedMs),
    createdAt: isoTime(row.createdMs),
    expiresAt: state === "draft" || state === "held" ? isoTimeOrNull(row.expiresMs) : null,
    sendsAt: state === "approved" ? isoTimeOrNull(row.sendsMs) : null,
    asks: fromMessageColumn(row.asks),
    held: fromMessageColumn(row.held),
    deliveries: [...deliveries],
  };
  return {
    seq: Number(row.seq),
    eventSeq: numberOrNull(row.eventSeq),
    without: row.without as StoredPost["without"],
    automatic: row.automatic === 1,
    textLater: textOrNull(row.textLater),
    altLater: textOrNull(row.altLater),
    post,
  };
}

export type PostFilter = {
  readonly state: PostState | null;
  /** True for only those posts that need a decision of a person. */
  readonly needs: boolean;
  /** "unsorted" selects posts without a game. */
  readonly game: string | null;
  readonly beforeSeq: number;
};

/** A post that a rule made, as its cooldown needs it. */
export type MadePost = { readonly rule: string; readonly eventId: string; readonly happenedMs: number };

export type PostStore = ReturnType<typeof createPostStore>;

export function createPostStore(storage: Pick<Storage, "read">) {
  const deliveriesOf = async (rows: readonly Row[]): Promise<Map<number, Delivery[]>> => {
    const seqs = JSON.stringify(rows.map(({ seq }) => seq));
    const found = await storage.read(
      concatSql(
        sql`
      SELECT d.post_seq AS post, d.account AS account, d.network AS network, d.name AS name, d.state AS state, d.says AS says,
        d.tries AS tries, d.next_try_ms AS nextTryMs, d.sent_ms AS sentMs, d.link AS link, d.notes AS notes, d.demo AS demo,`,
        isAlreadyPosted,
        sql` AS already
      FROM delivery AS d JOIN post AS p ON p.seq = d.post_seq
      WHERE d.post_seq IN (SELECT value FROM json_each(${seqs})) ORDER BY d.seq`,
      ),
    );
    const grouped = Map.groupBy(found, ({ post }) => Number(post));
    return new Map([...grouped].map(([post, all]) => [post, all.map(deliveryOfRow)]));
  };
  const readPosts = async (which: Statement): Promise<StoredPost[]> => {
    const rows = await storage.read(selectPosts(which));
    if (rows.length === 0) return [];
    const deliveries = await deliveriesOf(rows);
    return rows.map((row) => postOfRow(row, deliveries.get(Number(row.seq)) ?? []));
  };
  const readNumber = async (statement: Statement): Promise<number> =>
    Number(Object.values((await storage.read(statement))[0] ?? {})[0]);

  return {
    /** Lists posts, newest first. `more` is true if older ones follow. */
    async list({ state, needs, game, beforeSeq }: PostFilter, limit: number) {
      const found = await readPosts(sql`
        WHERE seq < ${beforeSeq} AND (${state} IS NULL OR state = ${state})
          AND (${Number(needs)} = 0 OR state IN ('draft', 'unsure', 'failed'))
          AND (${game} IS NULL OR coalesce(game, 'unsorted') = ${game})
        ORDER BY seq DESC LIMIT ${limit + 1}`);
      return { kept: found.slice(0, limit), more: found.length > limit };
    },
    find: async (id: string): Promise<StoredPost | undefined> => (await readPosts(sql` WHERE id = ${id}`))[0],
    /** Returns posts after `afterSeq` that wait for footage, oldest first. */
    waitingForFootage: (afterSeq: number, limit: number) =>
      readPosts(sql` WHERE footage = 'pending' AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`),
    /** Returns drafts and held posts that have expired. */
    expiredDrafts: (nowMs: number, limit: number) =>
      readPosts(sql` WHERE state IN ('draft', 'held') AND expires_ms <= ${nowMs} ORDER BY seq LIMIT ${limit}`),
    countDrafts: () => readNumber(sql`SELECT count(*) FROM post WHERE state = 'draft'`),
    countHeld: () => readNumber(sql`SELECT count(*) FROM post WHERE state = 'held'`),
    countPosts: () => readNumber(sql`SELECT count(*) FROM post`),
    /** Counts the posts that rules made in an interval. */
    countMadeBetween: (fromMs: number, toMs: number) =>
      readNumber(sql`
        SELECT count(*) FROM post
        WHERE rule IS NOT NULL AND held IS NULL AND created_ms > ${fromMs} AND created_ms <= ${toMs}`),
    /** Counts the posts of each rule that were held back since then, by the rule's id. */
    async countHeldSince(sinceMs: number): Promise<Map<string, number>> {
      const rows = await storage.read(sql`
        SELECT rule, count(*) AS held FROM post WHERE held IS NOT NULL AND created_ms > ${sinceMs} GROUP BY rule`);
      return new Map(rows.map(({ rule, held }) => [String(rule), Number(held)]));
    },
    /** Returns the posts that rules made of these event ids, with events between these times. */
    async madeOf(eventIds: readonly string[], fromMs: number, toMs: number): Promise<MadePost[]> {
      const rows = await storage.read(sql`
        SELECT rule, event_id AS eventId, happened_ms AS happenedMs FROM post
        WHERE event_id IN (SELECT value FROM json_each(${JSON.stringify(eventIds)})) AND rule IS NOT NULL
          AND held IS NULL AND happened_ms BETWEEN ${fromMs} AND ${toMs}`);
      return rows.map((row) => ({
        rule: String(row.rule),
        eventId: String(row.eventId),
        happenedMs: Number(row.happenedMs),
      }));
    },
    /** Returns the ids of the accounts of the newest post. */
    async accountsOfNewest(): Promise<string[]> {
      const rows = await storage.read(sql`
        SELECT account FROM delivery WHERE post_seq = (SELECT max(post_seq) FROM delivery) ORDER BY seq`);
      return rows.map(({ account }) => String(account));
    },
    /** Returns which of these events have a post. */
    async eventsWithPost(events: readonly string[]): Promise<ReadonlySet<string>> {
      const rows = await storage.read(sql`
        SELECT event FROM post WHERE event IN (SELECT value FROM json_each(${JSON.stringify(events)}))`);
      return new Set(rows.map(({ event }) => String(event)));
    },
  };
}
