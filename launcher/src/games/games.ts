// What the launcher knows of games: learns ids on first sight, files events under games, obeys the switches.
import {
  type EventKind,
  type Game,
  type IgnoreReason,
  KitError,
  type SwitchChange,
  type Switches,
  switchesOn,
} from "@kit/contract";
import { createSerialQueue, type Serialize } from "../async/serial.ts";
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
import type { LabelOverride } from "./labels/label-store.ts";
import { applyLabelChange, type LabelChange, type Planned } from "./labels/labels.ts";
import { createRuleLabels } from "./labels/rule-labels.ts";
import { gameOfId } from "./prefix.ts";
import { changedSwitches, keyOf, newRule, type ShownRule, showGame } from "./shown.ts";

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
type RuleChange = { enabled?: boolean; game?: string | null } & LabelChange;

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
  list(): { services: Switches; games: Game[]; rules: ShownRule[] };
  register(game: string, change: SwitchChange): Promise<Game>;
  forget(game: string): Promise<void>;
  changeRule(kind: EventKind, eventId: string, change: RuleChange): Promise<ShownRule>;
  switchServices(change: SwitchChange): Promise<Switches>;
  /** An event in words, for titles, chapters and posts: a person's, else those of its id. */
  wordsOf(eventId: string, game: string | null): string;
  lookOf(eventId: string): LabelOverride;
  /** The ids of which something was said. */
  lookedIds(): readonly string[];
  /** False for a game nobody heard of. */
  knows(game: string): boolean;
  /** Whoever plans does it in turn with every other change. */
  readonly serialize: Serialize;
  /** How these ids are shown, and that their game is no guess; to be written together with what others plan. */
  plan(game: string, looks: ReadonlyMap<string, LabelOverride>): Planned;
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

export function createGames({ load, write, now, onChanged, onSeen }: GamesNeeds): Games {
  let loaded = false;
  let services = switchesOn;
  const games = new Map<string, StoredGame>();
  const rules = new Map<string, StoredRule>();
  const serialize = createSerialQueue();
  const registered = () => [...games.values()].filter((game) => game.registered).map(({ game }) => game);
  let prefixes: readonly string[] = [];
  const fileOf = (kind: EventKind, eventId: string) => {
    const assigned = rules.get(keyOf(kind, eventId))?.assignedGame ?? null;
    return assigned === null ? gameOfId(eventId, prefixes).game : assigned;
  };
  const looks = createRuleLabels({ rules, fileOf, now, onFound: onSeen });
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

  const ignoredBecause = (kind: EventKind, eventId: string, game: string | null): IgnoreReason | null => {
    if (game !== null && games.get(game)?.switches[kind] === false) return "game_off";
    return rules.get(keyOf(kind, eventId))?.enabled === false ? "event_off" : null;
  };
  /** What to write down when an id, or the game it is filed under, is seen for the first time. */
  const firstSight = (kind: EventKind, eventId: string, name: string | null): FirstSight => {
    const key = keyOf(kind, eventId);
    const rule = !rules.has(key) && rules.size < rulesMax ? newRule(kind, eventId, now()) : undefined;
    const game = name !== null && !games.has(name) && games.size < gamesMax ? newGame(name, false) : undefined;
    if (rule === undefined && game === undefined) return nothingNew;
    return {
      writes: [...(rule === undefined ? [] : [saveRule(rule)]), ...(game === undefined ? [] : [saveGame(game)])],
      committed: () => {
        // Two first sights can share a commit; a change made in between must stand.
        if (rule !== undefined && !rules.has(key)) {
          rules.set(key, rule);
          looks.seen(rule);
        }
        if (game !== undefined && !games.has(game.game)) keep(game);
        onSeen();
      },
    };
  };

  const register = async (name: string, change: SwitchChange): Promise<Game> => {
    const game = games.get(name) ?? newGame(name, true);
    const saved = { ...game, registered: true, switches: changedSwitches(game.switches, change) };
    await write(saveGame(saved));
    keep(saved);
    looks.refile();
    onChanged();
    return showGame(saved);
  };
  const forget = async (name: string): Promise<void> => {
    if (!games.has(name)) throw new KitError("not_found", `There is no game ${name}.`);
    await write(...deleteGame(name));
    games.delete(name);
    prefixes = registered();
    looks.refile();
    onChanged();
  };
  const changeOneRule = async (kind: EventKind, eventId: string, change: RuleChange): Promise<ShownRule> => {
    const { enabled, game, label, icon } = change;
    const rule = rules.get(keyOf(kind, eventId)) ?? newRule(kind, eventId, now());
    const saved = {
      ...rule,
      enabled: enabled ?? rule.enabled,
      assignedGame: game === undefined ? rule.assignedGame : game,
    };
    const isNew = saved.assignedGame !== null && !games.has(saved.assignedGame);
    const assigned = isNew && saved.assignedGame !== null ? newGame(saved.assignedGame, true) : undefined;
    const planned = looks.plan(new Map([[eventId, applyLabelChange(looks.lookOf(eventId), { label, icon })]]));
    await write(saveRule(saved), ...(assigned === undefined ? [] : [saveGame(assigned)]), ...planned.statements);
    rules.set(keyOf(kind, eventId), saved);
    if (assigned !== undefined) keep(assigned);
    planned.committed();
    if (game !== undefined || planned.statements.length > 0) looks.refile();
    onChanged();
    return looks.shown(saved);
  };
  const switchAll = async (change: SwitchChange): Promise<Switches> => {
    const saved = changedSwitches(services, change);
    await write(...saveServices(saved));
    services = saved;
    onChanged();
    return services;
  };

  const plan = (name: string, wanted: ReadonlyMap<string, LabelOverride>): Planned => {
    const planned = looks.plan(wanted);
    const game = games.get(name) ?? newGame(name, true);
    const isNew = !games.has(name) || !game.registered;
    return {
      statements: [...planned.statements, ...(isNew ? [saveGame({ ...game, registered: true })] : [])],
      committed() {
        planned.committed();
        // Its switches may have been seen meanwhile; registering leaves them.
        if (isNew) keep({ ...(games.get(name) ?? game), registered: true });
        looks.refile();
        onChanged();
      },
    };
  };

  return {
    async load() {
      const known = await load();
      services = known.services;
      for (const rule of known.rules) rules.set(keyOf(rule.kind, rule.eventId), rule);
      for (const game of known.games) games.set(game.game, game);
      looks.restore(known.looks);
      prefixes = registered();
      loaded = true;
      looks.refile();
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
    idsOf: (kind) =>
      looks
        .all()
        .filter((rule) => rule.kind === kind)
        .map(({ eventId }) => eventId),
    eventIdsOf: (game) =>
      [...rules.values()].filter(({ kind, eventId }) => fileOf(kind, eventId) === game).map(({ eventId }) => eventId),
    list: () => ({ services, games: [...games.values()].map(showGame), rules: looks.all().map(looks.shown) }),
    register: (name, change) => serialize(() => register(name, change)),
    forget: (name) => serialize(() => forget(name)),
    changeRule: (kind, eventId, change) => serialize(() => changeOneRule(kind, eventId, change)),
    switchServices: (change) => serialize(() => switchAll(change)),
    wordsOf: looks.wordsOf,
    lookOf: looks.lookOf,
    lookedIds: looks.ids,
    knows: (game) => games.has(game),
    serialize,
    plan,
  };
}
