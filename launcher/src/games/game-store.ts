// Stores games, rules and service switches in SQL.
import { type EventKind, type Switches, switchesOn } from "@kit/contract";
import { type Statement, sql } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import { loadLabels, type StoredLabel } from "./labels/label-store.ts";

export type StoredGame = {
  readonly game: string;
  readonly registered: boolean;
  readonly switches: Switches;
  readonly firstSeenAtMs: number;
};
export type StoredRule = {
  readonly kind: EventKind;
  readonly eventId: string;
  readonly assignedGame: string | null;
  readonly enabled: boolean;
  readonly firstSeenAtMs: number;
};

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

export function saveRule({ kind, eventId, assignedGame, enabled, firstSeenAtMs }: StoredRule): Statement {
  return sql`
    INSERT INTO rule (kind, event_id, assigned_game, enabled, first_seen_at_ms)
    VALUES (${kind}, ${eventId}, ${assignedGame}, ${toBit(enabled)}, ${firstSeenAtMs})
    ON CONFLICT (kind, event_id) DO UPDATE SET assigned_game = excluded.assigned_game, enabled = excluded.enabled`;
}

/** Also deletes the programs of the game. */
export const deleteGameStatements = (game: string): Statement[] => [
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

export type StoredGames = { services: Switches; games: StoredGame[]; rules: StoredRule[]; labels: StoredLabel[] };

export async function loadGames(storage: Storage): Promise<StoredGames> {
  const [games, rules, services, labels] = await Promise.all([
    storage.read(sql`SELECT game, registered, recording, monitor, social, first_seen_at_ms AS firstSeenAtMs FROM game`),
    storage.read(sql`
      SELECT kind, event_id AS eventId, assigned_game AS assignedGame, enabled, first_seen_at_ms AS firstSeenAtMs
      FROM rule ORDER BY first_seen_at_ms, kind, event_id`),
    storage.read(sql`SELECT kind, enabled FROM service`),
    loadLabels(storage),
  ]);
  return {
    labels,
    services: { ...switchesOn, ...Object.fromEntries(services.map(({ kind, enabled }) => [kind, enabled === 1])) },
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
