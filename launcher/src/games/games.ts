// What the launcher knows of games: learns ids on first sight, files events under games, obeys the switches.
import {
  type EventKind,
  type Game,
  type IgnoreReason,
  KitError,
  type Rule,
  type SwitchChange,
  type Switches,
  switchesOn,
} from "@kit/contract";
import type { Statement } from "../storage/sql.ts";
import {
  deleteGame,
  type KnownGames,
  type StoredGame,
  type StoredRule,
  saveGame,
  saveRule,
  saveServices,
} from "./game-store.ts";
import { gameOfId } from "./prefix.ts";
import { createTurns } from "./turns.ts";

/** A game that makes up ids without end must not make rules without end; its events are kept all the same. */
const rulesMax = 10_000;
const gamesMax = 1_000;

type Verdict = {
  readonly ignored: IgnoreReason | null;
  /** The game it is filed under; null is unsorted. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  readonly committed?: () => void;
};

/** `game: null` means: decide by prefix again. */
type RuleChange = { enabled?: boolean; game?: string | null };

export type Games = {
  /** Reads what is on disk. Until it has, nothing is judged: a switch that was off must not come on. */
  load(): Promise<void>;
  judge(kind: EventKind, eventId: string | null): Verdict;
  gameOf(kind: EventKind, eventId: string | null): string | null;
  /** False where a service is switched off for a game, or for all of them. */
  isOn(kind: EventKind, game: string | null): boolean;
  /** False while it is the launcher's guess. */
  isRegistered(game: string): boolean;
  /** The known ids of a service. */
  idsOf(kind: EventKind): readonly string[];
  /** The known ids filed under a game, or under none. */
  eventIdsOf(game: string | null): readonly string[];
  list(): { services: Switches; games: Game[]; rules: Rule[] };
  register(game: string, change: SwitchChange): Promise<Game>;
  forget(game: string): Promise<void>;
  changeRule(kind: EventKind, eventId: string, change: RuleChange): Promise<Rule>;
  switchServices(change: SwitchChange): Promise<Switches>;
};

export type GamesNeeds = {
  readonly load: () => Promise<KnownGames>;
  readonly write: (...statements: Statement[]) => Promise<void>;
  readonly now: () => number;
  /** A switch or a filing is another now. */
  readonly onChanged: () => void;
  /** A game or an id was seen for the first time; what was known stays as it is. */
  readonly onSeen: () => void;
};

type FirstSight = Omit<Verdict, "ignored" | "game">;
const nothingNew: FirstSight = { writes: [] };
const keyOf = (kind: EventKind, eventId: string) => `${kind} ${eventId}`;
const changed = (switches: Switches, { recording, monitor, social }: SwitchChange): Switches => ({
  recording: recording ?? switches.recording,
  monitor: monitor ?? switches.monitor,
  social: social ?? switches.social,
});
const isoOf = (ms: number) => new Date(ms).toISOString();
const showGame = ({ game, registered, switches, firstSeenAtMs }: StoredGame): Game => ({
  game,
  registered,
  switches,
  firstSeenAt: isoOf(firstSeenAtMs),
});

export function createGames({ load, write, now, onChanged, onSeen }: GamesNeeds): Games {
  let loaded = false;
  let services = switchesOn;
  const games = new Map<string, StoredGame>();
  const rules = new Map<string, StoredRule>();

  const inTurn = createTurns();
  const registered = () => [...games.values()].filter((game) => game.registered).map(({ game }) => game);
  let prefixes: readonly string[] = [];
  const fileOf = (kind: EventKind, eventId: string) => {
    const assigned = rules.get(keyOf(kind, eventId))?.assignedGame ?? null;
    return assigned === null ? gameOfId(eventId, prefixes).game : assigned;
  };
  const showRule = ({ kind, eventId, assignedGame, enabled, firstSeenAtMs }: StoredRule): Rule => ({
    kind,
    eventId,
    game: fileOf(kind, eventId),
    assigned: assignedGame !== null,
    enabled,
    firstSeenAt: isoOf(firstSeenAtMs),
  });
  const keep = (game: StoredGame) => {
    games.set(game.game, game);
    prefixes = registered();
  };
  const newGame = (game: string, isRegistered: boolean): StoredGame => ({
    game,
    registered: isRegistered,
    switches: switchesOn,
    firstSeenAtMs: now(),
  });

  const newRule = (kind: EventKind, eventId: string): StoredRule => ({
    kind,
    eventId,
    assignedGame: null,
    enabled: true,
    firstSeenAtMs: now(),
  });

  const ignoredBecause = (kind: EventKind, eventId: string, game: string | null): IgnoreReason | null => {
    if (game !== null && games.get(game)?.switches[kind] === false) return "game_off";
    return rules.get(keyOf(kind, eventId))?.enabled === false ? "event_off" : null;
  };
  /** What to write down when an id, or the game it is filed under, is seen for the first time. */
  const firstSight = (kind: EventKind, eventId: string, name: string | null): FirstSight => {
    const key = keyOf(kind, eventId);
    const rule = !rules.has(key) && rules.size < rulesMax ? newRule(kind, eventId) : undefined;
    const game = name !== null && !games.has(name) && games.size < gamesMax ? newGame(name, false) : undefined;
    if (rule === undefined && game === undefined) return nothingNew;
    return {
      writes: [...(rule === undefined ? [] : [saveRule(rule)]), ...(game === undefined ? [] : [saveGame(game)])],
      committed: () => {
        // Two first sights can share a commit; a change made in between must stand.
        if (rule !== undefined && !rules.has(key)) rules.set(key, rule);
        if (game !== undefined && !games.has(game.game)) keep(game);
        onSeen();
      },
    };
  };

  const register = async (name: string, change: SwitchChange): Promise<Game> => {
    const game = games.get(name) ?? newGame(name, true);
    const saved = { ...game, registered: true, switches: changed(game.switches, change) };
    await write(saveGame(saved));
    keep(saved);
    onChanged();
    return showGame(saved);
  };
  const forget = async (name: string): Promise<void> => {
    if (!games.has(name)) throw new KitError("not_found", `There is no game ${name}.`);
    await write(...deleteGame(name));
    games.delete(name);
    prefixes = registered();
    onChanged();
  };
  const changeOneRule = async (kind: EventKind, eventId: string, { enabled, game }: RuleChange): Promise<Rule> => {
    const rule = rules.get(keyOf(kind, eventId)) ?? newRule(kind, eventId);
    const saved = {
      ...rule,
      enabled: enabled ?? rule.enabled,
      assignedGame: game === undefined ? rule.assignedGame : game,
    };
    const isNew = saved.assignedGame !== null && !games.has(saved.assignedGame);
    const assigned = isNew && saved.assignedGame !== null ? newGame(saved.assignedGame, true) : undefined;
    await write(saveRule(saved), ...(assigned === undefined ? [] : [saveGame(assigned)]));
    rules.set(keyOf(kind, eventId), saved);
    if (assigned !== undefined) keep(assigned);
    onChanged();
    return showRule(saved);
  };
  const switchAll = async (change: SwitchChange): Promise<Switches> => {
    const saved = changed(services, change);
    await write(...saveServices(saved));
    services = saved;
    onChanged();
    return services;
  };

  return {
    async load() {
      const known = await load();
      services = known.services;
      for (const rule of known.rules) rules.set(keyOf(rule.kind, rule.eventId), rule);
      for (const game of known.games) games.set(game.game, game);
      prefixes = registered();
      loaded = true;
    },
    judge(kind, eventId) {
      if (!loaded) throw new KitError("storage_unavailable", "The database cannot be read yet. `kit doctor` says why.");
      const service: IgnoreReason | null = services[kind] ? null : "service_off";
      if (eventId === null) return { ignored: service, game: null, ...nothingNew };
      const game = fileOf(kind, eventId);
      return { ignored: service ?? ignoredBecause(kind, eventId, game), game, ...firstSight(kind, eventId, game) };
    },
    gameOf: (kind, eventId) => (eventId === null ? null : fileOf(kind, eventId)),
    isOn: (kind, game) => loaded && services[kind] && (game === null || games.get(game)?.switches[kind] !== false),
    isRegistered: (game) => games.get(game)?.registered === true,
    idsOf: (kind) => [...rules.values()].filter((rule) => rule.kind === kind).map(({ eventId }) => eventId),
    eventIdsOf: (game) =>
      [...rules.values()].filter(({ kind, eventId }) => fileOf(kind, eventId) === game).map(({ eventId }) => eventId),
    list: () => ({ services, games: [...games.values()].map(showGame), rules: [...rules.values()].map(showRule) }),
    register: (name, change) => inTurn(() => register(name, change)),
    forget: (name) => inTurn(() => forget(name)),
    changeRule: (kind, eventId, change) => inTurn(() => changeOneRule(kind, eventId, change)),
    switchServices: (change) => inTurn(() => switchAll(change)),
  };
}
