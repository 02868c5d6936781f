// Knows all games and event ids: finds the game of an event id, applies the switches, and learns ids when they are first seen.

import {
  allSwitchesOn,
  type EventKind,
  type Game,
  gameInWords,
  type IgnoreReason,
  KitError,
  type SwitchChange,
  type Switches,
  toShortLine,
} from "@kit/contract";
import { message } from "@kit/contract/messages";
import { createSerialQueue, type Serialize } from "../async.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import {
  deleteGame,
  type LabelOverride,
  loadGames,
  ruleKey,
  type StoredEventIdRule,
  type StoredGame,
  saveEventIdRule,
  saveGame,
  saveGameBuild,
  saveGameName,
  saveServiceSwitches,
  type UncountedEventIdRule,
} from "./game-store.ts";
import { applyLabelChange, type LabelChange, Labels, type PlannedChange } from "./labels/labels.ts";
import { applySwitchChange, newEventIdRule, toGame } from "./rule-view.ts";

/** Returns the longest registered prefix of `eventId`. Without one, guesses the part before the first underscore. */
export function gameFromId(eventId: string, registered: Iterable<string>): { game: string | null; guessed: boolean } {
  let longest: string | undefined;
  for (const prefix of registered) {
    const matches = eventId === prefix || eventId.startsWith(`${prefix}_`);
    if (matches && prefix.length > (longest?.length ?? 0)) longest = prefix;
  }
  if (longest !== undefined) return { game: longest, guessed: false };
  const guess = eventId.slice(0, Math.max(0, eventId.indexOf("_"))).trim();
  return guess === "" || guess.length > 100 ? { game: null, guessed: false } : { game: guess, guessed: true };
}

/** Limits how many rules and games a game can create by making up ids. Events beyond these limits are still stored. */
const rulesMax = 10_000;
const gamesMax = 1_000;

type Verdict = {
  readonly ignored: IgnoreReason | null;
  /** The game of the event; null if no game is known. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  readonly committed?: () => void;
};

/** With `game: null`, the prefix of the id decides its game again. */
type RuleChange = { enabled?: boolean; game?: string | null } & LabelChange;

export type GameRegistryDeps = {
  readonly storage: Pick<Storage, "read" | "write">;
  readonly now: () => number;
  /** Called when a switch or the game of an id has changed. */
  readonly onChanged: () => void;
  /** Called when a game or an event id was seen for the first time, which leaves known games and ids as they are. */
  readonly onSeen: () => void;
};

type FirstSighting = Pick<Verdict, "writes" | "committed">;
const nothingNew: FirstSighting = { writes: [] };

export class GameRegistry {
  /**
   * Runs changes one after another. Call `planLabels` inside such a change, and end the change only after the plan is committed.
   */
  readonly serialize: Serialize = createSerialQueue();
  readonly #deps: GameRegistryDeps;
  readonly #games = new Map<string, StoredGame>();
  readonly #rules = new Map<string, StoredEventIdRule>();
  readonly #labels: Labels;
  /** The names that a person or `kit.events.json` gave to games. */
  readonly #names = new Map<string, string>();
  /** The builds that `kit.events.json` gave to games. */
  readonly #builds = new Map<string, string>();
  #registeredGames: readonly string[] = [];
  #services = allSwitchesOn;
  #isLoaded = false;

  constructor(deps: GameRegistryDeps) {
    this.#deps = deps;
    this.#labels = new Labels({
      rules: this.#rules,
      gameOf: (kind, eventId) => this.#gameOfId(kind, eventId),
      now: deps.now,
      onFound: deps.onSeen,
    });
  }

  /** Loads games, rules and switches. Until then `judge` throws: a switch might be off. */
  async load(): Promise<void> {
    const stored = await loadGames(this.#deps.storage);
    this.#services = stored.services;
    for (const rule of stored.rules) this.#rules.set(ruleKey(rule.kind, rule.eventId), rule);
    for (const game of stored.games) this.#games.set(game.game, game);
    for (const [game, name] of stored.names) this.#names.set(game, name);
    for (const [game, build] of stored.builds) this.#builds.set(game, build);
    this.#labels.restore(stored.labels);
    this.#updateRegisteredGames();
    this.#isLoaded = true;
    this.#labels.reassignIds();
  }

  /** Decides whether a switch makes Kit ignore an event, and returns what must be written with the event. */
  judge(kind: EventKind, eventId: string | null): Verdict {
    if (!this.#isLoaded) {
      throw new KitError("storage_unavailable", message("storage.not_readable"));
    }
    const serviceOff: IgnoreReason | null = this.#services[kind] ? null : "service_off";
    if (eventId === null) return { ignored: serviceOff, game: null, ...nothingNew };
    const game = this.#gameOfId(kind, eventId);
    const ignored = serviceOff ?? this.#ignoreReason(kind, eventId, game);
    return { ignored, game, ...this.#recordFirstSighting(kind, eventId, game) };
  }

  gameOf(kind: EventKind, eventId: string | null): string | null {
    return eventId === null ? null : this.#gameOfId(kind, eventId);
  }

  /** Returns false if the service is switched off for the game or for all games. */
  isOn(kind: EventKind, game: string | null): boolean {
    if (!this.#isLoaded || !this.#services[kind]) return false;
    return game === null || this.#games.get(game)?.switches[kind] !== false;
  }

  /** Returns false for a game that Kit only guessed from an event id. */
  isRegistered(game: string): boolean {
    return this.#games.get(game)?.registered === true;
  }

  hasGame(game: string): boolean {
    return this.#games.has(game);
  }

  idsOfService(kind: EventKind): readonly string[] {
    return this.#labels.allRules().flatMap((rule) => (rule.kind === kind ? [rule.eventId] : []));
  }

  /** Returns the event ids of a game; for null, those without a game. */
  eventIdsOf(game: string | null): readonly string[] {
    const rules = [...this.#rules.values()];
    return rules.flatMap(({ kind, eventId }) => (this.#gameOfId(kind, eventId) === game ? [eventId] : []));
  }

  list(): { services: Switches; games: Game[]; rules: UncountedEventIdRule[] } {
    const rules = this.#labels.allRules().map((rule) => this.#labels.toEventIdRule(rule));
    return { services: this.#services, games: [...this.#games.values()].map((game) => this.#toGame(game)), rules };
  }

  registerGame(game: string, change: SwitchChange): Promise<Game> {
    return this.serialize(() => this.#registerGame(game, change));
  }

  deleteGame(game: string): Promise<void> {
    return this.serialize(() => this.#deleteGame(game));
  }

  changeRule(kind: EventKind, eventId: string, change: RuleChange): Promise<UncountedEventIdRule> {
    return this.serialize(() => this.#changeRule(kind, eventId, change));
  }

  switchServices(change: SwitchChange): Promise<Switches> {
    return this.serialize(() => this.#switchServices(change));
  }

  /** Returns the name that a person or `kit.events.json` gave the game; null if nobody named it. */
  givenName(game: string): string | null {
    return this.#names.get(game) ?? null;
  }

  /** Returns the name of a game as people read it: the name that it was given, or words made from its id. */
  gameName(game: string): string {
    return toShortLine(this.givenName(game) ?? "") || gameInWords(game);
  }

  planName(game: string, name: string | null): PlannedChange {
    return this.#planText(this.#names, game, name, saveGameName);
  }

  /** Returns the build that the game's `kit.events.json` gave it; null if there is none. */
  givenBuild(game: string): string | null {
    return this.#builds.get(game) ?? null;
  }

  planBuild(game: string, build: string | null): PlannedChange {
    return this.#planText(this.#builds, game, build, saveGameBuild);
  }

  /** Returns the name of an event for titles, chapters and posts: its label, or words made from its id. */
  eventName(eventId: string, game: string | null): string {
    return this.#labels.eventName(eventId, game);
  }

  labelOverride(eventId: string): LabelOverride {
    return this.#labels.labelOverride(eventId);
  }

  /** Returns the event ids with a label, an icon or a post text. */
  labelledIds(): readonly string[] {
    return this.#labels.labelledIds();
  }

  /** Plans labels, and the registration of their game, for a caller that commits them together with other changes. */
  planLabels(game: string, overrides: ReadonlyMap<string, LabelOverride>): PlannedChange {
    const labels = this.#labels.plan(overrides);
    const stored = this.#games.get(game) ?? this.#newGame(game, true);
    const isNew = !this.isRegistered(game);
    return {
      statements: [...labels.statements, ...(isNew ? [saveGame({ ...stored, registered: true })] : [])],
      committed: () => {
        labels.committed();
        // The game may have been seen meanwhile. Its switches stay as they are.
        if (isNew) this.#setGame({ ...(this.#games.get(game) ?? stored), registered: true });
        this.#labels.reassignIds();
        this.#deps.onChanged();
      },
    };
  }

  #planText(
    texts: Map<string, string>,
    game: string,
    text: string | null,
    save: (game: string, text: string | null) => Statement,
  ): PlannedChange {
    if (text === (texts.get(game) ?? null)) return { statements: [], committed: () => undefined };
    return {
      statements: [save(game, text)],
      committed: () => {
        if (text === null) texts.delete(game);
        else texts.set(game, text);
        this.#deps.onChanged();
      },
    };
  }

  #gameOfId(kind: EventKind, eventId: string): string | null {
    const assigned = this.#rules.get(ruleKey(kind, eventId))?.assignedGame ?? null;
    return assigned === null ? gameFromId(eventId, this.#registeredGames).game : assigned;
  }

  #ignoreReason(kind: EventKind, eventId: string, game: string | null): IgnoreReason | null {
    if (game !== null && this.#games.get(game)?.switches[kind] === false) return "game_off";
    return this.#rules.get(ruleKey(kind, eventId))?.enabled === false ? "event_off" : null;
  }

  /** Returns what to write if the id or its game is new. */
  #recordFirstSighting(kind: EventKind, eventId: string, gameName: string | null): FirstSighting {
    const key = ruleKey(kind, eventId);
    const isNewRule = !this.#rules.has(key) && this.#rules.size < rulesMax;
    const isNewGame = gameName !== null && !this.#games.has(gameName) && this.#games.size < gamesMax;
    const rule = isNewRule ? newEventIdRule(kind, eventId, this.#deps.now()) : undefined;
    const game = isNewGame ? this.#newGame(gameName, false) : undefined;
    if (rule === undefined && game === undefined) return nothingNew;
    return {
      writes: [...(rule === undefined ? [] : [saveEventIdRule(rule)]), ...(game === undefined ? [] : [saveGame(game)])],
      committed: () => {
        // Two events of one commit may both have found this id new. Changes made since the first of them was committed must stay.
        if (rule !== undefined && !this.#rules.has(key)) {
          this.#rules.set(key, rule);
          this.#labels.addRule(rule);
        }
        if (game !== undefined && !this.#games.has(game.game)) this.#setGame(game);
        this.#deps.onSeen();
      },
    };
  }

  async #registerGame(name: string, change: SwitchChange): Promise<Game> {
    const game = this.#games.get(name) ?? this.#newGame(name, true);
    const saved = { ...game, registered: true, switches: applySwitchChange(game.switches, change) };
    await this.#deps.storage.write(saveGame(saved));
    this.#setGame(saved);
    this.#labels.reassignIds();
    this.#deps.onChanged();
    return this.#toGame(saved);
  }

  async #deleteGame(name: string): Promise<void> {
    if (!this.#games.has(name)) throw new KitError("not_found", message("game.unknown", { game: name }));
    await this.#deps.storage.write(...deleteGame(name));
    this.#games.delete(name);
    this.#updateRegisteredGames();
    this.#labels.reassignIds();
    this.#deps.onChanged();
  }

  async #changeRule(kind: EventKind, eventId: string, change: RuleChange): Promise<UncountedEventIdRule> {
    const { enabled, game, label, icon } = change;
    const rule = this.#rules.get(ruleKey(kind, eventId)) ?? newEventIdRule(kind, eventId, this.#deps.now());
    const assignedGame = game === undefined ? rule.assignedGame : game;
    const saved = { ...rule, enabled: enabled ?? rule.enabled, assignedGame };
    const isNewGame = assignedGame !== null && !this.#games.has(assignedGame);
    const newGame = isNewGame ? this.#newGame(assignedGame, true) : undefined;
    const override = applyLabelChange(this.#labels.labelOverride(eventId), { label, icon });
    const labels = this.#labels.plan(new Map([[eventId, override]]));
    const gameWrites = newGame === undefined ? [] : [saveGame(newGame)];
    await this.#deps.storage.write(saveEventIdRule(saved), ...gameWrites, ...labels.statements);
    this.#rules.set(ruleKey(kind, eventId), saved);
    if (newGame !== undefined) this.#setGame(newGame);
    labels.committed();
    if (game !== undefined || labels.statements.length > 0) this.#labels.reassignIds();
    this.#deps.onChanged();
    return this.#labels.toEventIdRule(saved);
  }

  async #switchServices(change: SwitchChange): Promise<Switches> {
    const saved = applySwitchChange(this.#services, change);
    await this.#deps.storage.write(...saveServiceSwitches(saved));
    this.#services = saved;
    this.#deps.onChanged();
    return saved;
  }

  #toGame(game: StoredGame): Game {
    return toGame(game, this.gameName(game.game));
  }

  #newGame(game: string, registered: boolean): StoredGame {
    return { game, registered, switches: allSwitchesOn, firstSeenAtMs: this.#deps.now() };
  }

  #setGame(game: StoredGame): void {
    this.#games.set(game.game, game);
    this.#updateRegisteredGames();
  }

  #updateRegisteredGames(): void {
    this.#registeredGames = [...this.#games.values()].flatMap(({ game, registered }) => (registered ? [game] : []));
  }
}
