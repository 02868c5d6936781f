// Assigns events to games: a trigger by its id; a report, which has no id, by its sender. Kit usually finds the sender before it
// stores the event. If the lookup takes longer than the acknowledgement of an event may wait, Kit sets the sender afterwards, and
// readers that need the sender of a report wait briefly.
import { setTimeout as pause } from "node:timers/promises";
import type { EventKind, IgnoreReason } from "@kit/contract";
import { isProgramOrigin } from "../http/admission/origin.ts";
import { log } from "../log.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { GameRegistry } from "./games.ts";
import { openSystemLookup } from "./process-lookup/native/system-lookup.ts";
import { PeerLookup } from "./process-lookup/peer-lookup.ts";
import { createProcessTable, findProcessTree, type PeerProcess } from "./process-lookup/processes.ts";
import type { Connection } from "./process-lookup/sockets.ts";
import { createSocketFinder } from "./process-lookup/sockets.ts";
import { SenderRegistry } from "./senders.ts";
import { createProcessLife } from "./sessions/process-life.ts";

/** Maximum time that readers wait for the senders of stored events. A lookup is much quicker, even on a busy computer. */
const waitMsMax = 2_000;
/** Maximum number of stored events whose sender is still looked up. Further ones stay without a sender. */
const pendingMax = 1_000;

type Verdict = {
  readonly ignored: IgnoreReason | null;
  /** The game of the event; null if no game is known. */
  readonly game: string | null;
  readonly writes: readonly Statement[];
  readonly committed: () => void;
};

type RequestSource = { readonly origin: string | null; readonly client: string | null; readonly socket: Connection };

/** A running lookup, shared by all events of a connection. Both promises resolve to null if the sender is not found. */
type PendingSender = {
  /** Resolves within 0.1 s, to null if the lookup takes longer. */
  readonly inTime: Promise<number | null>;
  /** Resolves when the lookup ends. */
  readonly found: Promise<number | null>;
};

type LateEvent = {
  readonly id: string;
  readonly kind: EventKind;
  readonly eventId: string | null;
  readonly found: Promise<number | null>;
  /** Resolves once the event is durable. */
  readonly stored: Promise<void>;
};

type GameOf = (kind: EventKind, eventId: string | null, sender: number | null) => string | null;

/** Finds the game of a trigger by its event id, and of a report by its sender. */
export const createGameLookup =
  (games: Pick<GameRegistry, "gameOf">, senders: Pick<SenderRegistry, "gameOf">): GameOf =>
  (kind, eventId, sender) =>
    eventId === null ? senders.gameOf(sender) : games.gameOf(kind, eventId);

export type EventAssignmentDeps = {
  readonly games: GameRegistry;
  readonly senders: Pick<SenderRegistry, "buildOf" | "identify" | "recordEvent" | "gameOf" | "sendersOfGame">;
  readonly connections: Pick<PeerLookup, "findPeer">;
  readonly storage: Pick<Storage, "write">;
  /** Returns the statement that sets the sender of a stored event. */
  readonly senderFound: (id: string, sender: number) => Statement;
  /** Called when the last running lookup has ended, if senders were set late: events may now belong to another game. */
  readonly onAssigned: () => void;
  readonly onFailure: (error: unknown) => void;
};

export class EventAssignment {
  readonly gameOf: GameOf;
  readonly #deps: EventAssignmentDeps;
  readonly #pending = new Set<Promise<void>>();
  #hasChanges = false;

  constructor(deps: EventAssignmentDeps) {
    this.#deps = deps;
    this.gameOf = createGameLookup(deps.games, deps.senders);
  }

  findSender({ origin, client, socket }: RequestSource): number | null | PendingSender {
    const { connections, senders } = this.#deps;
    // For a web page, the process would be the browser and not the game.
    const known = isProgramOrigin(origin) ? connections.findPeer(socket) : undefined;
    const idOf = (peer: PeerProcess | undefined) => senders.identify(peer, origin, client);
    if (known === undefined || !("found" in known)) return idOf(known);
    return { inTime: known.inTime.then(idOf), found: known.found.then(idOf) };
  }

  judge(kind: EventKind, eventId: string | null, sender: number | null): Verdict {
    const { games, senders } = this.#deps;
    const verdict = games.judge(kind, eventId);
    const pending = senders.recordEvent(sender, kind, eventId);
    const game = this.gameOf(kind, eventId, sender);
    return {
      ignored: verdict.ignored ?? (games.isOn(kind, game) ? null : "game_off"),
      game,
      writes: [...verdict.writes, ...pending.writes],
      committed() {
        verdict.committed?.();
        pending.committed?.();
      },
    };
  }

  /**
   * Returns the build that a person named for the run, else the one that the report names, else the one in the game's
   * `kit.events.json`. The run comes first, because engines report a version even if nobody set one.
   */
  buildOf(sender: number | null, game: string | null, reported: string | undefined): string | undefined {
    const { games, senders } = this.#deps;
    return senders.buildOf(sender) ?? reported ?? (game === null ? undefined : (games.givenBuild(game) ?? undefined));
  }

  /**
   * Returns the event ids and senders of a game. For null, returns what selects the events without a game: the event ids without
   * one, and the senders whose reports have one.
   */
  gameFilter(game: string | null): { readonly eventIds: readonly string[]; readonly senders: readonly number[] } {
    const { games, senders } = this.#deps;
    return { eventIds: games.eventIdsOf(game), senders: senders.sendersOfGame(game) };
  }

  /** Sets the sender of an event when it is found. Call it before the event is durable; otherwise readers would not wait. */
  trackLateSender(late: LateEvent): void {
    if (this.#pending.size >= pendingMax) return;
    const task = this.#assignSender(late)
      .catch(this.#deps.onFailure)
      .finally(() => this.#finish(task));
    this.#pending.add(task);
  }

  /** Resolves when the senders of all events so far are set, or after the maximum wait. Never rejects. */
  async waitForSenders(): Promise<void> {
    if (this.#pending.size === 0) return;
    const timer = new AbortController();
    const timeout = pause(waitMsMax, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#pending), timeout]);
    timer.abort();
  }

  async #assignSender({ id, kind, eventId, found, stored }: LateEvent): Promise<void> {
    const { senders, storage, senderFound } = this.#deps;
    const [sender] = await Promise.all([found, stored]);
    if (sender === null) return;
    const { writes, committed } = senders.recordEvent(sender, kind, eventId);
    await storage.write(...writes, senderFound(id, sender));
    committed?.();
    this.#hasChanges = true;
  }

  #finish(task: Promise<void>): void {
    this.#pending.delete(task);
    if (this.#pending.size > 0 || !this.#hasChanges) return;
    this.#hasChanges = false;
    this.#deps.onAssigned();
  }
}

type SenderLookup = Pick<EventAssignmentDeps, "games" | "senderFound" | "onAssigned"> & {
  /** False if Kit must not look up which program sends events. */
  readonly findSenders: boolean;
  readonly storage: Storage;
  readonly now: () => number;
};

/** Creates the assignment together with the senders and the process lookups that it needs. Await `ready` before events arrive. */
export function createEventAssignment({ findSenders, storage, games, now, senderFound, onAssigned }: SenderLookup) {
  const onFailure = (error: unknown) => log.operationFailed("sender", error);
  const system = findSenders ? openSystemLookup(onFailure) : undefined;
  const processes = findSenders ? (system?.processes ?? createProcessTable()) : undefined;
  const findSockets = system?.findSockets ?? createSocketFinder();
  const connections = new PeerLookup({ processes, findSockets, now: () => performance.now(), onFailure });
  const life = createProcessLife(now, system);
  const senders = new SenderRegistry({ games, storage, now, kitRunId: life.kitRunId, onGameChanged: onAssigned });
  const all = { games, senders, connections, storage, senderFound, onAssigned, onFailure };
  const ready = async () => system?.ready();
  const windowsDesktop = process.platform === "win32" ? system?.desktop : undefined;
  const processesOf = system?.processesOf ?? findProcessTree;
  const stop = () => system?.stop();
  const assignment = new EventAssignment(all);
  return { assignment, senders, processes, processesOf, life, windowsDesktop, ready, stop };
}
