// Stores sessions in SQL, with their senders and the stretches of the journal that belong to them, and reads their events.
import type { EventKind, ReceiptState, SessionEnding } from "@kit/contract";
import { type Row, type Statement, sql, textOrNull } from "../../storage/sql.ts";
import type { Storage } from "../../storage/storage.ts";
import type { TriggerId } from "../sender-store.ts";
import { type StoredGameSession, toGameSession } from "./stored-session.ts";

/** An event to assign to a session: the columns that decide which session. */
export type EventToAssign = {
  readonly seq: number;
  readonly kind: EventKind;
  readonly eventId: string | null;
  readonly sender: number | null;
  readonly origin: string | null;
  readonly client: string | null;
  readonly atMs: number;
};

/** A stretch of the journal from `first` to `last`, both included. Every event in it belongs to the session. */
export type SessionStretch = { readonly first: number; readonly last: number; readonly session: string };
/** What decides the game of a session. */
export type SessionGameFacts = {
  readonly id: string;
  readonly game: string | null;
  readonly firstTrigger: TriggerId | null;
  readonly sender: number | null;
};

const formatProcess = ({ process }: StoredGameSession) => process && `${process.pid} ${process.startedAt}`;

function parseProcess(text: string): StoredGameSession["process"] {
  const [pid = "", ...startedAt] = text.split(" ");
  return { pid: Number(pid), startedAt: startedAt.join(" ") };
}

export function insertSession(session: StoredGameSession): Statement {
  const [kind, eventId] = session.firstTrigger ?? [null, null];
  return sql`
    INSERT INTO game_session (id, told_kind, told_event_id, page, started_ms)
    VALUES (${session.id}, ${kind}, ${eventId}, ${session.page}, ${session.startedMs}) ON CONFLICT (id) DO NOTHING`;
}

/** Does nothing if the session was deleted because there were too many. */
export const updateSession = (session: StoredGameSession): Statement => sql`
  UPDATE game_session SET game = ${session.game}, process = ${formatProcess(session)}, run = ${session.run}, program = ${session.program},
    started_ms = ${session.startedMs}, last_ms = ${session.lastMs}, ended_ms = ${session.endedMs}, ending = ${session.ending},
    exit_code = ${session.exitCode}, signal = ${session.signal}, crash_event = ${session.crashEvent}, events = ${session.events},
    errors = ${session.errors}, moments = ${session.moments}, posts = ${session.posts}
  WHERE id = ${session.id}`;

export const insertSessionSender = (sender: number, id: string): Statement => sql`
  INSERT INTO game_session_sender (sender, session_seq) SELECT ${sender}, seq FROM game_session WHERE id = ${id}
  ON CONFLICT (sender) DO NOTHING`;

/** Saves stretches. If a stored stretch has the same start, extends it. */
export const saveStretches = (stretches: readonly SessionStretch[]): Statement => sql`
  INSERT INTO game_session_part (first_seq, last_seq, session_seq)
  SELECT value ->> 0, value ->> 1, seq
  FROM json_each(${JSON.stringify(stretches.map(({ first, last, session }) => [first, last, session]))})
  JOIN game_session AS s ON s.id = value ->> 2 WHERE true
  ON CONFLICT (first_seq) DO UPDATE SET last_seq = max(last_seq, excluded.last_seq)`;

/** Moves the stretches of session `id` to session `into`, and deletes session `id`. */
export const mergeSessions = (id: string, into: string): Statement[] => [
  sql`
    UPDATE game_session_part SET session_seq = (SELECT seq FROM game_session WHERE id = ${into})
    WHERE session_seq = (SELECT seq FROM game_session WHERE id = ${id})
      AND EXISTS (SELECT 1 FROM game_session WHERE id = ${into})`,
  sql`DELETE FROM game_session WHERE id = ${id}`,
];

/** Deletes the oldest sessions beyond `max`, and counts them. */
export const deleteOldestSessions = (max: number): Statement[] => [
  sql`UPDATE game_session_gone SET sessions = sessions + max(0, (SELECT count(*) FROM game_session) - ${max})`,
  sql`
    DELETE FROM game_session WHERE seq IN (
      SELECT seq FROM game_session ORDER BY seq LIMIT max(0, (SELECT count(*) FROM game_session) - ${max}))`,
];

/** Deletes stretches whose events are no longer in the journal. */
export const deleteForgottenStretches = (): Statement => sql`
  DELETE FROM game_session_part
  WHERE first_seq < (SELECT min(seq) FROM event) AND last_seq < (SELECT min(seq) FROM event)`;

export const updateSessionGames = (sessions: readonly Pick<SessionGameFacts, "id" | "game">[]): Statement => sql`
  UPDATE game_session SET game = moved.value ->> 1
  FROM json_each(${JSON.stringify(sessions.map(({ id, game }) => [id, game]))}) AS moved
  WHERE game_session.id = moved.value ->> 0`;

export const saveSessionCursor = (seq: number): Statement => sql`
  INSERT INTO hand_over (slice, seq) VALUES ('sessions', ${seq}) ON CONFLICT (slice) DO UPDATE SET seq = excluded.seq`;

const columns = sql`
  SELECT s.seq AS seq, s.id AS id, s.game AS game, told_kind AS toldKind, told_event_id AS toldEventId, process, page, run,
    program, started_ms AS startedMs, last_ms AS lastMs, ended_ms AS endedMs, ending, exit_code AS exitCode, signal,
    crash_event AS crashEvent, events, errors, moments, posts`;
const selectSessions = (rest: Statement): Statement => ({ text: columns.text + rest.text, values: rest.values });

const numberOrNull = (value: Row[string] | undefined) => (value === null || value === undefined ? null : Number(value));
const parseFirstTrigger = (row: Row): TriggerId | null =>
  row.toldKind === null ? null : [row.toldKind as EventKind, String(row.toldEventId)];

function sessionFromRow(row: Row): StoredGameSession {
  return {
    id: String(row.id),
    game: textOrNull(row.game),
    firstTrigger: parseFirstTrigger(row),
    process: row.process === null ? null : parseProcess(String(row.process)),
    page: textOrNull(row.page),
    run: textOrNull(row.run),
    program: textOrNull(row.program),
    startedMs: Number(row.startedMs),
    lastMs: numberOrNull(row.lastMs),
    endedMs: numberOrNull(row.endedMs),
    ending: row.ending as SessionEnding,
    exitCode: numberOrNull(row.exitCode),
    signal: textOrNull(row.signal),
    crashEvent: textOrNull(row.crashEvent),
    events: Number(row.events),
    errors: Number(row.errors),
    moments: Number(row.moments),
    posts: Number(row.posts),
  };
}

export type GameSessionStore = ReturnType<typeof createGameSessionStore>;

export function createGameSessionStore(storage: Pick<Storage, "read">) {
  const readSessions = async (rest: Statement) => (await storage.read(selectSessions(rest))).map(sessionFromRow);
  const readNumber = async (statement: Statement): Promise<number> =>
    Number(Object.values((await storage.read(statement))[0] ?? {})[0] ?? 0);

  return {
    cursor: () => readNumber(sql`SELECT seq FROM hand_over WHERE slice = 'sessions'`),
    /** Returns the events after a position, without their payloads. */
    async eventsAfter(seq: number, limit: number): Promise<EventToAssign[]> {
      const rows = await storage.read(sql`
        SELECT seq, kind, event_id AS eventId, sender, origin, client, acts_on_ms AS atMs
        FROM event WHERE seq > ${seq} ORDER BY seq LIMIT ${limit}`);
      return rows.map((row) => ({ ...row, seq: Number(row.seq), atMs: Number(row.atMs) }) as EventToAssign);
    },
    /** Returns the sessions that have not ended, oldest first. */
    listOpen: () => readSessions(sql` FROM game_session AS s WHERE ended_ms IS NULL ORDER BY seq`),
    find: async (id: string) => (await readSessions(sql` FROM game_session AS s WHERE id = ${id}`))[0],
    findByRun: async (run: string) => (await readSessions(sql` FROM game_session AS s WHERE run = ${run}`))[0],
    /** Returns the session of each sender. */
    async findBySenders(senders: readonly number[]): Promise<Map<number, StoredGameSession>> {
      const rows = await storage.read(
        selectSessions(sql`, o.sender AS sender FROM game_session_sender AS o JOIN game_session AS s ON s.seq = o.session_seq
          WHERE o.sender IN (SELECT value FROM json_each(${JSON.stringify(senders)}))`),
      );
      return new Map(rows.map((row) => [Number(row.sender), sessionFromRow(row)]));
    },
    /** Returns the id of the open session of each sender. */
    async openSessionsBySender(): Promise<Map<number, string>> {
      const rows = await storage.read(sql`
        SELECT o.sender AS sender, s.id AS id FROM game_session AS s JOIN game_session_sender AS o ON o.session_seq = s.seq
        WHERE s.ended_ms IS NULL`);
      return new Map(rows.map(({ sender, id }) => [Number(sender), String(id)]));
    },
    /** Returns sessions, newest first, starting after the session `before`. `game` null selects all games. */
    list: (game: string | null, before: string | null, limit: number) =>
      readSessions(sql`
        FROM game_session AS s
        WHERE (${before} IS NULL OR seq < (SELECT seq FROM game_session WHERE id = ${before}))
          AND (${game} IS NULL OR coalesce(game, 'unsorted') = ${game})
        ORDER BY seq DESC LIMIT ${limit}`),
    countDeleted: () => readNumber(sql`SELECT sessions FROM game_session_gone`),
    async gameFacts(): Promise<SessionGameFacts[]> {
      const rows = await storage.read(sql`
        SELECT id, game, told_kind AS toldKind, told_event_id AS toldEventId,
          (SELECT max(sender) FROM game_session_sender WHERE session_seq = seq) AS sender
        FROM game_session`);
      return rows.map((row) => ({
        id: String(row.id),
        game: textOrNull(row.game),
        firstTrigger: parseFirstTrigger(row),
        sender: numberOrNull(row.sender),
      }));
    },
  };
}

const exportPageMax = 200;

/** Yields sessions from the newest to the oldest. `game`: undefined selects all games, null sessions without a game. */
export async function* exportSessions(storage: Pick<Storage, "read">, game: string | null | undefined) {
  const store = createGameSessionStore(storage);
  const wanted = game === undefined ? null : (game ?? "unsorted");
  let before: string | null = null;
  do {
    const page = await store.list(wanted, before, exportPageMax);
    yield* page.map(toGameSession);
    before = page.length < exportPageMax ? null : (page.at(-1)?.id ?? null);
  } while (before !== null);
}

/** Only the beginning of a message is read, because a timeline shows only its first line. */
const messageCharsMax = 400;

export type SessionEvent = {
  readonly seq: number;
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  /** The beginning of a report's message; null for a trigger. */
  readonly message: string | null;
  readonly atMs: number;
  readonly state: ReceiptState;
};

/** How many stretches are read at most. There are many if the events of several games alternate. */
const stretchesMax = 2_000;

/** The first and the last position of a stretch of the journal, both included. */
export type JournalStretch = readonly [first: number, last: number];

export type TimelineStore = ReturnType<typeof createTimelineStore>;

export function createTimelineStore(storage: Pick<Storage, "read">) {
  return {
    /** Returns the next events of the session after a position. Reads only the stretches of the session. */
    async events(session: string, afterSeq: number, limit: number): Promise<SessionEvent[]> {
      const rows = await storage.read(sql`
        SELECT e.seq AS seq, e.id AS id, e.kind AS kind, e.event_id AS eventId, e.acts_on_ms AS atMs,
          iif(e.kind = 'monitor', substr(e.payload ->> 'message', 1, ${messageCharsMax}), NULL) AS message,
          coalesce((SELECT state FROM receipt WHERE event_seq = e.seq ORDER BY receipt.seq DESC LIMIT 1), e.status) AS state
        FROM game_session AS s
        CROSS JOIN game_session_part AS p ON p.session_seq = s.seq AND p.last_seq > ${afterSeq}
        CROSS JOIN event AS e ON e.seq BETWEEN p.first_seq AND p.last_seq AND e.seq > ${afterSeq}
        WHERE s.id = ${session} ORDER BY p.first_seq, e.seq LIMIT ${limit}`);
      return rows.map((row) => ({ ...row, seq: Number(row.seq), atMs: Number(row.atMs) }) as SessionEvent);
    },
    /** Returns the stretches of a session and of earlier sessions of its game: `max` sessions in all, newest first. */
    async stretchesUpTo(session: string, max: number): Promise<JournalStretch[][]> {
      const rows = await storage.read(sql`
        SELECT s.seq AS session, first_seq AS first, last_seq AS last
        FROM (SELECT seq FROM game_session
          WHERE game = (SELECT game FROM game_session WHERE id = ${session})
            AND seq <= (SELECT seq FROM game_session WHERE id = ${session})
          ORDER BY seq DESC LIMIT ${max}) AS s
        LEFT JOIN game_session_part AS p ON p.session_seq = s.seq ORDER BY s.seq DESC LIMIT ${stretchesMax}`);
      const ofSessions = Map.groupBy(rows, ({ session: seq }) => seq);
      return [...ofSessions.values()].map((parts) =>
        parts.flatMap(({ first, last }): JournalStretch[] => (first === null ? [] : [[Number(first), Number(last)]])),
      );
    },
    /** Returns how many events of the session are still in the journal. */
    async countStored(session: string): Promise<number> {
      const [row] = await storage.read(sql`
        SELECT coalesce(sum(max(0, p.last_seq - max(p.first_seq, (SELECT coalesce(min(seq), 0) FROM event)) + 1)), 0) AS events
        FROM game_session_part AS p JOIN game_session AS s ON s.seq = p.session_seq
        WHERE s.id = ${session} AND EXISTS (SELECT 1 FROM event)`);
      return Number(row?.events);
    },
  };
}
