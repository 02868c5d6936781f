// Sessions in SQL: what is known of each, whose events are its own, and which stretches of the journal they are.
import type { EventKind, SessionEnding } from "@kit/contract";
import { type Row, type Statement, sql } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { TriggerId } from "../sender-store.ts";
import type { OpenSession } from "./open-session.ts";

/** An event where it stands in the journal, as much of it as says to which session it belongs. */
export type Arrived = {
  readonly seq: number;
  readonly kind: EventKind;
  readonly eventId: string | null;
  readonly sender: number | null;
  readonly origin: string | null;
  readonly client: string | null;
  readonly atMs: number;
};

/** A stretch of the journal in which every event is of one session. */
export type Part = { readonly first: number; readonly last: number; readonly session: string };
/** What says which game a session is filed under. */
export type SessionAssignment = {
  readonly id: string;
  readonly game: string | null;
  readonly told: TriggerId | null;
  readonly sender: number | null;
};

const processText = ({ process }: OpenSession) => process && `${process.pid} ${process.startedAt}`;

function processOf(text: string): OpenSession["process"] {
  const [pid = "", ...startedAt] = text.split(" ");
  return { pid: Number(pid), startedAt: startedAt.join(" ") };
}

export function begun(one: OpenSession): Statement {
  const [kind, eventId] = one.told ?? [null, null];
  return sql`
    INSERT INTO game_session (id, told_kind, told_event_id, page, started_ms)
    VALUES (${one.id}, ${kind}, ${eventId}, ${one.page}, ${one.startedMs}) ON CONFLICT (id) DO NOTHING`;
}

/** As it is now; one that went to make room does not come back. */
export const changed = (one: OpenSession): Statement => sql`
  UPDATE game_session SET game = ${one.game}, process = ${processText(one)}, run = ${one.run}, program = ${one.program},
    started_ms = ${one.startedMs}, last_ms = ${one.lastMs}, ended_ms = ${one.endedMs}, ending = ${one.ending},
    exit_code = ${one.exitCode}, signal = ${one.signal}, crash_event = ${one.crashEvent}, events = ${one.events},
    errors = ${one.errors}, moments = ${one.moments}, posts = ${one.posts}
  WHERE id = ${one.id}`;

export const owned = (sender: number, id: string): Statement => sql`
  INSERT INTO game_session_sender (sender, session_seq) SELECT ${sender}, seq FROM game_session WHERE id = ${id}
  ON CONFLICT (sender) DO NOTHING`;

/** A part that begins where one begins already goes on from that one. */
export const parted = (parts: readonly Part[]): Statement => sql`
  INSERT INTO game_session_part (first_seq, last_seq, session_seq)
  SELECT value ->> 0, value ->> 1, seq
  FROM json_each(${JSON.stringify(parts.map(({ first, last, session }) => [first, last, session]))})
  JOIN game_session AS s ON s.id = value ->> 2 WHERE true
  ON CONFLICT (first_seq) DO UPDATE SET last_seq = max(last_seq, excluded.last_seq)`;

/** All of one session is the other's from now on. */
export const mergeSessions = (id: string, into: string): Statement[] => [
  sql`
    UPDATE game_session_part SET session_seq = (SELECT seq FROM game_session WHERE id = ${into})
    WHERE session_seq = (SELECT seq FROM game_session WHERE id = ${id})
      AND EXISTS (SELECT 1 FROM game_session WHERE id = ${into})`,
  sql`DELETE FROM game_session WHERE id = ${id}`,
];

/** The oldest go, as many as there are more than `max`. */
export const madeRoom = (max: number): Statement[] => [
  sql`UPDATE game_session_gone SET sessions = sessions + max(0, (SELECT count(*) FROM game_session) - ${max})`,
  sql`
    DELETE FROM game_session WHERE seq IN (
      SELECT seq FROM game_session ORDER BY seq LIMIT max(0, (SELECT count(*) FROM game_session) - ${max}))`,
];

/** Stretches of which the journal has nothing any more. */
export const partsForgotten = (): Statement => sql`
  DELETE FROM game_session_part
  WHERE first_seq < (SELECT min(seq) FROM event) AND last_seq < (SELECT min(seq) FROM event)`;

export const refiled = (filings: readonly Pick<SessionAssignment, "id" | "game">[]): Statement => sql`
  UPDATE game_session SET game = filed.value ->> 1
  FROM json_each(${JSON.stringify(filings.map(({ id, game }) => [id, game]))}) AS filed
  WHERE game_session.id = filed.value ->> 0`;

export const followedUpTo = (seq: number): Statement => sql`
  INSERT INTO hand_over (slice, seq) VALUES ('sessions', ${seq}) ON CONFLICT (slice) DO UPDATE SET seq = excluded.seq`;

const columns = sql`
  SELECT s.seq AS seq, s.id AS id, s.game AS game, told_kind AS toldKind, told_event_id AS toldEventId, process, page, run,
    program, started_ms AS startedMs, last_ms AS lastMs, ended_ms AS endedMs, ending, exit_code AS exitCode, signal,
    crash_event AS crashEvent, events, errors, moments, posts`;
const those = (which: Statement): Statement => ({ text: columns.text + which.text, values: which.values });

const textOf = (value: Row[string] | undefined) => (value === null || value === undefined ? null : String(value));
const numberOf = (value: Row[string] | undefined) => (value === null || value === undefined ? null : Number(value));
const toldOf = (row: Row): TriggerId | null =>
  row.toldKind === null ? null : [row.toldKind as EventKind, String(row.toldEventId)];

function sittingOf(row: Row): OpenSession {
  return {
    id: String(row.id),
    game: textOf(row.game),
    told: toldOf(row),
    process: row.process === null ? null : processOf(String(row.process)),
    page: textOf(row.page),
    run: textOf(row.run),
    program: textOf(row.program),
    startedMs: Number(row.startedMs),
    lastMs: numberOf(row.lastMs),
    endedMs: numberOf(row.endedMs),
    ending: row.ending as SessionEnding,
    exitCode: numberOf(row.exitCode),
    signal: textOf(row.signal),
    crashEvent: textOf(row.crashEvent),
    events: Number(row.events),
    errors: Number(row.errors),
    moments: Number(row.moments),
    posts: Number(row.posts),
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(storage: Pick<Storage, "read">) {
  const kept = async (which: Statement) => (await storage.read(those(which))).map(sittingOf);
  const number = async (statement: Statement): Promise<number> =>
    Number(Object.values((await storage.read(statement))[0] ?? {})[0] ?? 0);

  return {
    place: () => number(sql`SELECT seq FROM hand_over WHERE slice = 'sessions'`),
    /** What came behind a place of the journal. Never more than the bytes of an id each: what games wrote stays where it is. */
    async after(seq: number, limit: number): Promise<Arrived[]> {
      const rows = await storage.read(sql`
        SELECT seq, kind, event_id AS eventId, sender, origin, client, acts_on_ms AS atMs
        FROM event WHERE seq > ${seq} ORDER BY seq LIMIT ${limit}`);
      return rows.map((row) => ({ ...row, seq: Number(row.seq), atMs: Number(row.atMs) }) as Arrived);
    },
    /** Those that have not ended, oldest first. */
    open: () => kept(sql` FROM game_session AS s WHERE ended_ms IS NULL ORDER BY seq`),
    find: async (id: string) => (await kept(sql` FROM game_session AS s WHERE id = ${id}`))[0],
    ofRun: async (run: string) => (await kept(sql` FROM game_session AS s WHERE run = ${run}`))[0],
    /** The sessions of these senders, and which sender is whose. */
    async ofSenders(senders: readonly number[]): Promise<Map<number, OpenSession>> {
      const rows = await storage.read(
        those(sql`, o.sender AS sender FROM game_session_sender AS o JOIN game_session AS s ON s.seq = o.session_seq
          WHERE o.sender IN (SELECT value FROM json_each(${JSON.stringify(senders)}))`),
      );
      return new Map(rows.map((row) => [Number(row.sender), sittingOf(row)]));
    },
    /** Whose events are those of a session that goes on. */
    async ownersOfOpen(): Promise<Map<number, string>> {
      const rows = await storage.read(sql`
        SELECT o.sender AS sender, s.id AS id FROM game_session AS s JOIN game_session_sender AS o ON o.session_seq = s.seq
        WHERE s.ended_ms IS NULL`);
      return new Map(rows.map(({ sender, id }) => [Number(sender), String(id)]));
    },
    /** Newest first. */
    list: (game: string | null, before: string | null, limit: number) =>
      kept(sql`
        FROM game_session AS s
        WHERE (${before} IS NULL OR seq < (SELECT seq FROM game_session WHERE id = ${before}))
          AND (${game} IS NULL OR coalesce(game, 'unsorted') = ${game})
        ORDER BY seq DESC LIMIT ${limit}`),
    forgotten: () => number(sql`SELECT sessions FROM game_session_gone`),
    async filings(): Promise<SessionAssignment[]> {
      const rows = await storage.read(sql`
        SELECT id, game, told_kind AS toldKind, told_event_id AS toldEventId,
          (SELECT max(sender) FROM game_session_sender WHERE session_seq = seq) AS sender
        FROM game_session`);
      return rows.map((row) => ({
        id: String(row.id),
        game: textOf(row.game),
        told: toldOf(row),
        sender: numberOf(row.sender),
      }));
    },
  };
}
