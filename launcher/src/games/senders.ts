// Identifies the senders of events. A sender is one run of a program or of a web page. Its triggers say which game it is.
import { createHash } from "node:crypto";
import type { EventKind } from "@kit/contract";
import { isProgramOrigin, isSharedOrigin } from "../http/admission/origin.ts";
import type { Statement } from "../storage/sql.ts";
import type { Storage } from "../storage/storage.ts";
import type { GameRegistry } from "./games.ts";
import type { PeerProcess } from "./process-lookup/processes.ts";
import {
  deleteSender,
  loadSenders,
  type StoredSender,
  saveKitRunSender,
  saveSender,
  saveSenderEventId,
  type TriggerId,
} from "./sender-store.ts";

export const sendersMax = 2_000;
/** A web page that sends nothing for this long begins a new run with its next event. */
const pageRunMs = 600_000;
/** How many event ids Kit stores for a sender. Only among these does it notice ids of another game. */
const eventIdsMax = 8;

type Sender = Omit<StoredSender, "program" | "game" | "build"> & {
  program: string;
  game: string | null;
  build: string | null;
  readonly eventIds: TriggerId[];
  peer: PeerProcess | undefined;
  seenAtMs: number;
  isSaved: boolean;
};

/** Statements to write with an event. The caller must call `committed` once they are durable. */
type PendingWrites = { readonly writes: readonly Statement[]; readonly committed?: () => void };

/** What identifies a run. Only for a process can Kit see when the run has ended. */
export type RunIdentity = {
  readonly by: "process" | "page" | "kit run";
  readonly process: { readonly pid: number; readonly startedAt: string } | null;
  /** The id that `kit run` gave the run. */
  readonly run: string | null;
};

export type SenderRegistryDeps = {
  readonly games: Pick<GameRegistry, "gameOf" | "isRegistered">;
  readonly storage: Pick<Storage, "read">;
  readonly now: () => number;
  /** Returns the id of the `kit run` that a process belongs to. Called once for each process. */
  readonly kitRunId?: (peer: PeerProcess) => string | undefined;
  /** Called when a sender may belong to another game. */
  readonly onGameChanged: () => void;
};

/** Returns true for origins that many games share, or that any page can have. NW.js games of the same package name share one, too. */
const isAmbiguous = (origin: string) =>
  origin === "null" || origin === "file://" || isProgramOrigin(origin) || isSharedOrigin(origin);
/** Returns a short digest, by which Kit compares texts that it must not store, such as a command line with secrets. */
export const digestOf = (...texts: readonly (string | null)[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("base64url").slice(0, 22);

const nothingToWrite: PendingWrites = { writes: [] };
/** Names of runs that `kit run` started begin with this. */
const kitRunPrefix = "run ";

/** Parses the run names that SenderRegistry assigns. */
function parseRunName(name: string): RunIdentity {
  if (name.startsWith(kitRunPrefix)) return { by: "kit run", process: null, run: name.slice(kitRunPrefix.length) };
  const [, pid, ...startedAt] = name.split(" ");
  if (pid === undefined) return { by: "page", process: null, run: null };
  return { by: "process", process: { pid: Number(pid), startedAt: startedAt.join(" ") }, run: null };
}

const isNewId = ({ eventIds }: Sender, [kind, eventId]: TriggerId) =>
  eventIds.length < eventIdsMax && !eventIds.some(([knownKind, id]) => knownKind === kind && id === eventId);

export class SenderRegistry {
  readonly #deps: SenderRegistryDeps;
  /** All senders by id, the most recently seen last. */
  readonly #byId = new Map<number, Sender>();
  readonly #byRunName = new Map<string, Sender>();
  readonly #byPeer = new WeakMap<PeerProcess, Sender>();
  /** The current run of each page, by origin and client. */
  readonly #byPage = new Map<string, Sender>();
  /** For each program, the sender that last sent a trigger. It says which game the program is. */
  readonly #lastIdentified = new Map<string, Sender>();
  #gameCache = new Map<number, string | null>();
  #isLoaded = false;
  #lastId = 0;
  /** Senders that are no longer in memory but still in the database. */
  #droppedIds: readonly number[] = [];

  constructor(deps: SenderRegistryDeps) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    for (const stored of await loadSenders(this.#deps.storage, sendersMax)) {
      this.#add({ ...stored, eventIds: [...stored.eventIds], peer: undefined, seenAtMs: 0, isSaved: true });
    }
    this.#isLoaded = true;
  }

  /** Finds or creates the sender. Returns null if neither a process nor a page identifies it. */
  identify(peer: PeerProcess | undefined, origin: string | null, client: string | null): number | null {
    if (!this.#isLoaded) return null;
    if (peer !== undefined) return this.#senderOfPeer(peer).id;
    return origin === null || isAmbiguous(origin) ? null : this.#senderOfPage(origin, client).id;
  }

  processOf(id: number | null): PeerProcess | undefined {
    return id === null ? undefined : this.#byId.get(id)?.peer;
  }

  /** Returns undefined if the sender is no longer in memory. */
  runIdentity(id: number): RunIdentity | undefined {
    const sender = this.#byId.get(id);
    return sender && parseRunName(sender.run);
  }

  /** Returns the build that a person named for the run. */
  buildOf(id: number | null): string | undefined {
    return (id === null ? undefined : this.#byId.get(id)?.build) ?? undefined;
  }

  /**
   * Registers a run of `kit run`. `likeness` is equal for runs of the same command; `game` and `build` are those that a person
   * named.
   */
  startRun(
    run: string,
    likeness: string,
    game: string | null,
    build: string | null = null,
  ): { readonly id: number } & PendingWrites {
    const program = digestOf(likeness);
    const sender = this.#touch(this.#senderOfKitRun(run, program));
    return {
      id: sender.id,
      writes: [saveKitRunSender({ ...sender, program, game, build })],
      committed: () => {
        sender.isSaved = true;
        sender.program = program;
        sender.game = game ?? sender.game;
        sender.build = build ?? sender.build;
        if (sender.eventIds.length > 0) this.#lastIdentified.set(program, sender);
        this.#gameCache = new Map();
        this.#deps.onGameChanged();
      },
    };
  }

  /** Returns what must be written with an event of this sender. */
  recordEvent(id: number | null, kind: EventKind, eventId: string | null): PendingWrites {
    const sender = id === null ? undefined : this.#byId.get(id);
    if (sender === undefined) return nothingToWrite;
    const newId = eventId !== null && isNewId(sender, [kind, eventId]) ? ([kind, eventId] as const) : undefined;
    if (sender.isSaved && newId === undefined) return nothingToWrite;
    const dropped = sender.isSaved ? [] : this.#droppedIds;
    const senderWrites = sender.isSaved ? [] : [saveSender(sender), ...dropped.map(deleteSender)];
    return {
      writes: [...senderWrites, ...(newId === undefined ? [] : [saveSenderEventId(sender.id, newId)])],
      committed: () => {
        sender.isSaved = true;
        if (dropped.length > 0) this.#droppedIds = this.#droppedIds.filter((each) => !dropped.includes(each));
        // Two events of one commit can have the same new id. Only the first adds it.
        if (newId !== undefined && isNewId(sender, newId)) this.#addEventId(sender, newId);
      },
    };
  }

  gameOf(id: number | null): string | null {
    const sender = id === null ? undefined : this.#byId.get(id);
    return sender === undefined ? null : this.#gameOfSender(sender);
  }

  /** Returns the senders of a game; for null, those of all games. */
  sendersOfGame(game: string | null): readonly number[] {
    return [...this.#byId.values()]
      .filter((sender) => (game === null ? this.#gameOfSender(sender) !== null : this.#gameOfSender(sender) === game))
      .map(({ id }) => id);
  }

  /** Must be called when games were registered, deleted or corrected. */
  onGamesChanged(): void {
    this.#gameCache = new Map();
  }

  #add(sender: Sender): void {
    this.#byId.set(sender.id, sender);
    this.#byRunName.set(sender.run, sender);
    this.#lastId = Math.max(this.#lastId, sender.id);
    if (sender.eventIds.length > 0) this.#lastIdentified.set(sender.program, sender);
    const [oldest] = this.#byId.values();
    if (this.#byId.size > sendersMax && oldest !== undefined) this.#drop(oldest);
  }

  #drop(sender: Sender): void {
    this.#byId.delete(sender.id);
    this.#byRunName.delete(sender.run);
    this.#gameCache.delete(sender.id);
    if (this.#lastIdentified.get(sender.program) === sender) this.#lastIdentified.delete(sender.program);
    for (const [page, other] of this.#byPage) if (other === sender) this.#byPage.delete(page);
    this.#droppedIds = [...this.#droppedIds, sender.id];
  }

  #create(program: string, run: string): Sender {
    const rest = { eventIds: [], game: null, build: null, peer: undefined, seenAtMs: this.#deps.now(), isSaved: false };
    const sender = { id: this.#lastId + 1, program, run, ...rest };
    this.#add(sender);
    return sender;
  }

  #touch(sender: Sender): Sender {
    sender.seenAtMs = this.#deps.now();
    this.#byId.delete(sender.id);
    this.#byId.set(sender.id, sender);
    return sender;
  }

  /** All processes of a `kit run` are one sender. */
  #senderOfKitRun(run: string, program: string): Sender {
    const name = `${kitRunPrefix}${run}`;
    return this.#byRunName.get(name) ?? this.#create(program, name);
  }

  #senderOfPeer(peer: PeerProcess): Sender {
    const known = this.#byPeer.get(peer);
    if (known !== undefined && this.#byId.has(known.id)) return this.#touch(known);
    const program = digestOf(peer.path, peer.command, peer.folder);
    const sender = this.#findOrCreate(peer, program, `${program} ${peer.pid} ${peer.startedAt}`);
    sender.peer = peer;
    this.#byPeer.set(peer, sender);
    return this.#touch(sender);
  }

  #findOrCreate(peer: PeerProcess, program: string, name: string): Sender {
    const known = this.#byRunName.get(name);
    if (known !== undefined) return known;
    const kitRun = this.#deps.kitRunId?.(peer);
    return kitRun === undefined ? this.#create(program, name) : this.#senderOfKitRun(kitRun, program);
  }

  #senderOfPage(origin: string, client: string | null): Sender {
    const page = `${origin} ${client}`;
    const known = this.#byPage.get(page);
    const nowMs = this.#deps.now();
    if (known !== undefined && nowMs - known.seenAtMs < pageRunMs) return this.#touch(known);
    const sender = this.#create(digestOf(origin), digestOf(page, String(nowMs), String(this.#lastId)));
    this.#byPage.set(page, sender);
    return sender;
  }

  #gameOfSender(sender: Sender): string | null {
    const known = this.#gameCache.get(sender.id);
    if (known !== undefined) return known;
    const game = this.#findGame(sender);
    this.#gameCache.set(sender.id, game);
    return game;
  }

  #findGame(sender: Sender): string | null {
    if (sender.game !== null) return sender.game;
    const identified = sender.eventIds.length > 0 ? sender : this.#lastIdentified.get(sender.program);
    return identified === undefined ? null : this.#gameOfIds(identified.eventIds);
  }

  /** If the ids belong to several games, only registered games count. Returns null unless exactly one game is left. */
  #gameOfIds(eventIds: readonly TriggerId[]): string | null {
    const { games } = this.#deps;
    const found = new Set(eventIds.flatMap(([kind, eventId]) => games.gameOf(kind, eventId) ?? []));
    const [only = null, ...others] = found.size === 1 ? found : [...found].filter((game) => games.isRegistered(game));
    return others.length === 0 ? only : null;
  }

  #addEventId(sender: Sender, newId: TriggerId): void {
    sender.eventIds.push(newId);
    this.#lastIdentified.set(sender.program, sender);
    this.#gameCache = new Map();
    this.#deps.onGameChanged();
  }
}
