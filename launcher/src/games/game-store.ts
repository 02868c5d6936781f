// Stores games, their programs and source folders, rules, labels and service switches in SQL, and deletes what is stored of a game.

import { allSwitchesOn, type Editor, type EventIdRule, type EventKind, type Switches } from "@kit/contract";
import { isoTime, type Row, type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { TriggerId } from "./sender-store.ts";

export type StoredGame = {
  readonly game: string;
  readonly registered: boolean;
  readonly switches: Switches;
  readonly firstSeenAtMs: number;
};
export type StoredEventIdRule = {
  readonly kind: EventKind;
  readonly eventId: string;
  readonly assignedGame: string | null;
  readonly enabled: boolean;
  readonly firstSeenAtMs: number;
};

/** A rule without the counts of its events, which only the database has. */
export type UncountedEventIdRule = Omit<EventIdRule, "lastSeenAt" | "count">;

export const ruleKey = (kind: EventKind, eventId: string) => `${kind} ${eventId}`;

const toBit = (on: boolean) => (on ? 1 : 0);

export function saveGame({ game, registered, switches, firstSeenAtMs }: StoredGame): Statement {
  const recording = toBit(switches.recording);
  const monitor = toBit(switches.monitor);
  const social = toBit(switches.social);
  return sql`
    INSERT INTO game (game, registered, recording, monitor, social, first_seen_at_ms)
    VALUES (${game}, ${toBit(registered)}, ${recording}, ${monitor}, ${social}, ${firstSeenAtMs})
    ON CONFLICT (game) DO UPDATE SET registered = excluded.registered,
      recording = excluded.recording, monitor = excluded.monitor, social = excluded.social`;
}

export const saveGameName = (game: string, name: string | null): Statement => sql`
  INSERT INTO game_entry (game, name) VALUES (${game}, ${name}) ON CONFLICT (game) DO UPDATE SET name = excluded.name`;

export const saveGameBuild = (game: string, build: string | null): Statement => sql`
  INSERT INTO game_entry (game, build) VALUES (${game}, ${build}) ON CONFLICT (game) DO UPDATE SET build = excluded.build`;

export function saveEventIdRule({ kind, eventId, assignedGame, enabled, firstSeenAtMs }: StoredEventIdRule): Statement {
  return sql`
    INSERT INTO rule (kind, event_id, assigned_game, enabled, first_seen_at_ms)
    VALUES (${kind}, ${eventId}, ${assignedGame}, ${toBit(enabled)}, ${firstSeenAtMs})
    ON CONFLICT (kind, event_id) DO UPDATE SET assigned_game = excluded.assigned_game, enabled = excluded.enabled`;
}

/** Returns the statements that delete the game and its programs. */
export const deleteGame = (game: string): Statement[] => [
  sql`DELETE FROM game WHERE game = ${game}`,
  sql`DELETE FROM game_program WHERE game = ${game}`,
];

export function saveServiceSwitches(switches: Switches): Statement[] {
  return (Object.keys(switches) as EventKind[]).map(
    (kind) => sql`
      INSERT INTO service (kind, enabled) VALUES (${kind}, ${toBit(switches[kind])})
      ON CONFLICT (kind) DO UPDATE SET enabled = excluded.enabled`,
  );
}

export type StoredGames = {
  services: Switches;
  games: StoredGame[];
  rules: StoredEventIdRule[];
  labels: StoredLabel[];
  /** The names that a person or `kit.events.json` gave to games. */
  names: ReadonlyMap<string, string>;
  /** The builds that `kit.events.json` gave to games. */
  builds: ReadonlyMap<string, string>;
};

export async function loadGames(storage: Pick<Storage, "read">): Promise<StoredGames> {
  const [games, rules, services, labels, names, builds] = await Promise.all([
    storage.read(sql`SELECT game, registered, recording, monitor, social, first_seen_at_ms AS firstSeenAtMs FROM game`),
    storage.read(sql`
      SELECT kind, event_id AS eventId, assigned_game AS assignedGame, enabled, first_seen_at_ms AS firstSeenAtMs
      FROM rule ORDER BY first_seen_at_ms, kind, event_id`),
    storage.read(sql`SELECT kind, enabled FROM service`),
    loadLabels(storage),
    storage.read(sql`SELECT game, name FROM game_entry WHERE name IS NOT NULL`),
    storage.read(sql`SELECT game, build FROM game_entry WHERE build IS NOT NULL`),
  ]);
  return {
    labels,
    names: new Map(names.map(({ game, name }) => [String(game), String(name)])),
    builds: new Map(builds.map(({ game, build }) => [String(game), String(build)])),
    services: { ...allSwitchesOn, ...Object.fromEntries(services.map(({ kind, enabled }) => [kind, enabled === 1])) },
    games: games.map((row) => ({
      game: String(row.game),
      registered: row.registered === 1,
      switches: { recording: row.recording === 1, monitor: row.monitor === 1, social: row.social === 1 },
      firstSeenAtMs: Number(row.firstSeenAtMs),
    })),
    rules: rules.map((row) => ({
      kind: row.kind as EventKind,
      eventId: String(row.eventId),
      assignedGame: row.assignedGame as string | null,
      enabled: row.enabled === 1,
      firstSeenAtMs: Number(row.firstSeenAtMs),
    })),
  };
}

export type GameProgram = { readonly game: string; readonly path: string; readonly command: string };
/** How a program was started. `arguments` is null if they are too long to store. */
export type LaunchDetails = { readonly arguments?: readonly string[] | null; readonly folder?: string | null };

/** Saves a program, and keeps only the `max` programs that were seen last. */
export const saveProgram = (
  { game, path, command, arguments: words = null, folder = null }: GameProgram & LaunchDetails,
  atMs: number,
  max: number,
): Statement[] => [
  sql`
    INSERT INTO game_program (game, path, command, arguments, folder, seen_at_ms)
    VALUES (${game}, ${path}, ${command}, ${words && JSON.stringify(words)}, ${folder}, ${atMs})
    ON CONFLICT (game, path, command) DO UPDATE SET seen_at_ms = excluded.seen_at_ms, arguments = excluded.arguments,
      folder = excluded.folder`,
  sql`
    DELETE FROM game_program WHERE (game, path, command) NOT IN
      (SELECT game, path, command FROM game_program ORDER BY seen_at_ms DESC LIMIT ${max})`,
];

export async function loadPrograms(storage: Pick<Storage, "read">): Promise<GameProgram[]> {
  const rows = await storage.read(sql`SELECT game, path, command FROM game_program ORDER BY seen_at_ms`);
  return rows.map(({ game, path, command }) => ({ game: String(game), path: String(path), command: String(command) }));
}

export type StoredSourceFolder = { readonly game: string; readonly root: string; readonly editor: Editor };

export const saveSourceFolder = ({ game, root, editor }: StoredSourceFolder): Statement => sql`
  INSERT INTO game_source (game, root, editor) VALUES (${game}, ${root}, ${editor})
  ON CONFLICT (game) DO UPDATE SET root = excluded.root, editor = excluded.editor`;

export const forgetSourceFolder = (game: string): Statement => sql`DELETE FROM game_source WHERE game = ${game}`;

export async function loadSourceFolders(storage: Pick<Storage, "read">): Promise<StoredSourceFolder[]> {
  const rows = await storage.read(sql`SELECT game, root, editor FROM game_source ORDER BY game`);
  return rows.map(({ game, root, editor }) => ({
    game: String(game),
    root: String(root),
    editor: editor as Editor,
  }));
}

export const createGameDataStore = (storage: Pick<Storage, "read">) => ({
  async count(): Promise<Map<string | null, { sessions: number }>> {
    const rows = await storage.read(sql`SELECT game, count(*) AS sessions FROM game_session GROUP BY game`);
    return new Map(
      rows.map(({ game, sessions }) => [game === null ? null : String(game), { sessions: Number(sessions) }]),
    );
  },
  /** Deletes sessions, settings, programs and senders of the game, and its event ids with their switches and labels. */
  wipeStatements(game: string | null, ids: readonly TriggerId[], senders: readonly number[]): Statement[] {
    const named = JSON.stringify(ids);
    const by = JSON.stringify(senders);
    return [
      sql`DELETE FROM game_session WHERE game IS ${game}`,
      sql`DELETE FROM game_session_sender WHERE sender IN (SELECT value FROM json_each(${by}))`,
      sql`DELETE FROM sender WHERE id IN (SELECT value FROM json_each(${by}))`,
      sql`DELETE FROM sender_event_id WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${named}))`,
      sql`DELETE FROM rule WHERE (kind, event_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${named}))`,
      sql`DELETE FROM event_look WHERE event_id IN (SELECT value ->> 1 FROM json_each(${named}))`,
      ...(game === null
        ? []
        : [
            sql`DELETE FROM game WHERE game = ${game}`,
            sql`DELETE FROM game_program WHERE game = ${game}`,
            sql`DELETE FROM game_source WHERE game = ${game}`,
            sql`DELETE FROM game_entry WHERE game = ${game}`,
            sql`DELETE FROM proposed_command WHERE game = ${game}`,
          ]),
    ];
  },
});

type RuleCount = Pick<EventIdRule, "lastSeenAt" | "count">;

/** The counts of an id that a person or a file named and no game has sent. */
const neverSeen: RuleCount = { lastSeenAt: null, count: 0 };

const countFromRow = ({ events, lastSeenMs }: Row): RuleCount => ({
  lastSeenAt: lastSeenMs === null ? null : isoTime(Number(lastSeenMs)),
  count: Number(events),
});

/** Reads how many events each id had, and when the last one was. The database counts them in the commit that stores an event. */
export function createRuleCountStore(storage: Pick<Storage, "read">) {
  return {
    /** Reads one row for each id, so that it stays fast however long the journal is. */
    async addCounts(rules: readonly UncountedEventIdRule[]): Promise<EventIdRule[]> {
      const rows = await storage.read(sql`
        SELECT kind, event_id AS eventId, events, last_seen_ms AS lastSeenMs FROM rule WHERE events > 0`);
      const counts = new Map(
        rows.map((row) => [ruleKey(row.kind as EventKind, String(row.eventId)), countFromRow(row)]),
      );
      return rules.map((rule) => ({ ...rule, ...(counts.get(ruleKey(rule.kind, rule.eventId)) ?? neverSeen) }));
    },
    async addCount(rule: UncountedEventIdRule): Promise<EventIdRule> {
      const [row] = await storage.read(sql`
        SELECT events, last_seen_ms AS lastSeenMs FROM rule WHERE kind = ${rule.kind} AND event_id = ${rule.eventId}`);
      return { ...rule, ...(row === undefined ? neverSeen : countFromRow(row)) };
    },
  };
}

export type LabelOverride = {
  readonly label: string | null;
  readonly icon: string | null;
  /** The post text that the developer of the game proposes. */
  readonly postText: string | null;
};
export type StoredLabel = LabelOverride & { readonly eventId: string; readonly addedAtMs: number };

export const saveLabel = ({ eventId, label, icon, postText, addedAtMs }: StoredLabel): Statement => sql`
  INSERT INTO event_look (event_id, label, icon, post_text, added_at_ms)
  VALUES (${eventId}, ${label}, ${icon}, ${postText}, ${addedAtMs})
  ON CONFLICT (event_id) DO UPDATE SET label = excluded.label, icon = excluded.icon, post_text = excluded.post_text`;

export const deleteLabel = (eventId: string): Statement => sql`DELETE FROM event_look WHERE event_id = ${eventId}`;

export async function loadLabels(storage: Pick<Storage, "read">): Promise<StoredLabel[]> {
  const rows = await storage.read(sql`
    SELECT event_id AS eventId, label, icon, post_text AS postText, added_at_ms AS addedAtMs
    FROM event_look ORDER BY added_at_ms, event_id`);
  return rows.map((row) => ({
    eventId: String(row.eventId),
    label: row.label as string | null,
    icon: row.icon as string | null,
    postText: row.postText as string | null,
    addedAtMs: Number(row.addedAtMs),
  }));
}
