// Finds the program at the other end of a connection. Looks up each connection once, many connections together, in limited time.
import type { PeerProcess, ProcessTable, SocketHolder } from "./processes.ts";
import type { Connection, FindSockets } from "./sockets.ts";

/** Maximum time that an acknowledgement waits for the lookup. Only the first event of a connection waits. */
const waitMsMax = 100;
/** How long after a failed lookup a connection is looked up again. */
const retryAfterMs = 30_000;
/**
 * After a lookup that took longer than this, Kit pauses for as long as the lookup took. The connections that arrive in the pause
 * share the next lookup.
 */
const quickLookupMs = 1;
/**
 * Maximum pause after a slow lookup. On a busy computer, lookups take long without costing much, and waiting connections must not
 * time out.
 */
const lookupPauseMsMax = 40;
/** Pause after a search that found every program, as a multiple of the duration of the search. */
const foundPause = 1;
/**
 * Pause after a search that missed only connections that have closed meanwhile, as a multiple of its duration: a flood of brief
 * connections must not cause constant searches.
 */
const closedPause = 3;
/** Pause after a search that missed an open connection, as a multiple of its duration. The program may belong to another user. */
const failedPause = 19;
/** How many recently found processes are checked before a search. A game that opens a connection for each event is among them. */
const recentMax = 16;

/** A running lookup, shared by all events of a connection. */
type Lookup = {
  /** Resolves to undefined if the lookup takes longer than an acknowledgement may wait. */
  readonly inTime: Promise<PeerProcess | undefined>;
  /** Resolves when the lookup has ended. */
  readonly found: Promise<PeerProcess | undefined>;
};

export type PeerLookupDeps = {
  readonly processes: ProcessTable | undefined;
  readonly findSockets: FindSockets;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
};

type KnownConnection = { peer: PeerProcess | undefined; lookup: Lookup | undefined; retryAtMs: number };
/** A connection whose program is being looked up. */
type Question = {
  readonly connection: Connection;
  readonly known: KnownConnection;
  readonly answer: (peer: PeerProcess | undefined) => void;
};
type SocketQuestion = Question & { readonly socket: string };

const socketsOf = (questions: readonly SocketQuestion[]) => new Set(questions.map(({ socket }) => socket));

export class PeerLookup {
  readonly #deps: PeerLookupDeps;
  readonly #connections = new WeakMap<Connection, KnownConnection>();
  /** Process ids that held connections, the most recent last. */
  readonly #recentPids = new Set<number>();
  readonly #questions: Question[] = [];
  readonly #searchQuestions: SocketQuestion[] = [];
  #isLookingUp = false;
  /** The sockets of the running search. */
  #searchedSockets: Set<string> | undefined;
  #nextSearchAtMs = 0;
  #isSearchScheduled = false;

  constructor(deps: PeerLookupDeps) {
    this.#deps = deps;
  }

  /** Returns undefined if the program is unknown or cannot be found on this system. */
  findPeer(connection: Connection): PeerProcess | undefined | Lookup {
    const { processes, now } = this.#deps;
    if (processes === undefined || connection.remotePort === undefined) return undefined;
    const before = this.#connections.get(connection);
    if (before?.lookup !== undefined) return before.lookup;
    if (before !== undefined && (before.peer !== undefined || now() < before.retryAtMs)) return before.peer;
    const known: KnownConnection = { peer: undefined, lookup: undefined, retryAtMs: this.#retryAtMs() };
    this.#connections.set(connection, known);
    known.lookup = this.#ask(processes, connection, known);
    return known.lookup;
  }

  #retryAtMs(): number {
    return this.#deps.now() + retryAfterMs;
  }

  #ask(processes: ProcessTable, connection: Connection, known: KnownConnection): Lookup {
    const inTime = Promise.withResolvers<PeerProcess | undefined>();
    const found = Promise.withResolvers<PeerProcess | undefined>();
    const timer = setTimeout(inTime.resolve, waitMsMax, undefined);
    const answer = (peer: PeerProcess | undefined) => {
      clearTimeout(timer);
      known.lookup = undefined;
      inTime.resolve(peer);
      found.resolve(peer);
    };
    this.#questions.push({ connection, known, answer });
    void this.#lookUp(processes);
    return { inTime: inTime.promise, found: found.promise };
  }

  /** Answers the questions about connections of recent processes, and leaves the others to a search. */
  async #lookUp(processes: ProcessTable): Promise<void> {
    if (this.#isLookingUp || this.#questions.length === 0) return;
    const { now, onFailure } = this.#deps;
    this.#isLookingUp = true;
    const beganMs = now();
    const questions = this.#questions.splice(0);
    try {
      this.#addToSearch(this.#askRecent(processes, await this.#findOpen(questions)));
    } catch (error) {
      this.#giveUp(questions, this.#retryAtMs());
      onFailure(error);
    }
    this.#searchSoon(processes);
    const tookMs = now() - beganMs;
    const lookUpAgain = () => {
      this.#isLookingUp = false;
      void this.#lookUp(processes);
    };
    if (tookMs > quickLookupMs) setTimeout(lookUpAgain, Math.min(lookupPauseMsMax, tookMs)).unref();
    else lookUpAgain();
  }

  /** Gives up on connections that have closed. Returns the other questions, each with the socket at the other end. */
  async #findOpen(questions: readonly Question[]): Promise<SocketQuestion[]> {
    const sockets = await this.#deps.findSockets(questions.map(({ connection }) => connection));
    const closed = questions.filter(({ connection }) => !sockets.has(connection));
    this.#giveUp(closed, this.#retryAtMs());
    return questions.flatMap((question) => {
      const socket = sockets.get(question.connection);
      return socket === undefined ? [] : [{ ...question, socket }];
    });
  }

  /** Answers the questions about connections that a recent process holds, and returns the others. */
  #askRecent(processes: ProcessTable, questions: readonly SocketQuestion[]): SocketQuestion[] {
    const holders = processes.findHoldersAmong([...this.#recentPids].reverse(), socketsOf(questions));
    return this.#answerFound(questions, holders);
  }

  /** Adds the sockets also to a running search: a program may have closed the connection that the search began with. */
  #addToSearch(questions: readonly SocketQuestion[]): void {
    this.#searchQuestions.push(...questions);
    for (const { socket } of questions) this.#searchedSockets?.add(socket);
  }

  /** Starts a search, or schedules it after the pause. Gives up at once on connections that would time out before it. */
  #searchSoon(processes: ProcessTable): void {
    if (this.#searchedSockets !== undefined || this.#searchQuestions.length === 0) return;
    const inMs = this.#nextSearchAtMs - this.#deps.now();
    if (inMs <= 0) void this.#search(processes);
    else if (inMs >= waitMsMax) this.#giveUp(this.#searchQuestions.splice(0), this.#nextSearchAtMs);
    else if (!this.#isSearchScheduled) {
      this.#isSearchScheduled = true;
      const searchNow = () => {
        this.#isSearchScheduled = false;
        this.#searchSoon(processes);
      };
      setTimeout(searchNow, inMs).unref();
    }
  }

  async #search(processes: ProcessTable): Promise<void> {
    const { now, onFailure } = this.#deps;
    const beganMs = now();
    const questions = this.#searchQuestions.splice(0);
    this.#searchedSockets = socketsOf(questions);
    let pause = failedPause;
    let found: ReadonlyMap<string, SocketHolder> = new Map();
    try {
      found = await processes.findHolders(this.#searchedSockets);
      const left = this.#answerFound(questions, found);
      this.#giveUp(left, this.#retryAtMs());
      pause = left.length === 0 ? foundPause : (await this.#isAnyOpen(left)) ? failedPause : closedPause;
    } catch (error) {
      this.#giveUp(questions, this.#retryAtMs());
      onFailure(error);
    }
    this.#nextSearchAtMs = now() + (now() - beganMs) * pause;
    this.#searchedSockets = undefined;
    // Connections that arrived during the search often belong to a program that was just found.
    const waiting = this.#answerFound(this.#searchQuestions.splice(0), found);
    this.#searchQuestions.push(...this.#askRecent(processes, waiting));
    this.#searchSoon(processes);
  }

  async #isAnyOpen(questions: readonly SocketQuestion[]): Promise<boolean> {
    const sockets = await this.#deps.findSockets(questions.map(({ connection }) => connection));
    return questions.some(({ connection, socket }) => sockets.get(connection) === socket);
  }

  /** Answers the questions about sockets whose holder was found, and returns the others. */
  #answerFound(questions: readonly SocketQuestion[], holders: ReadonlyMap<string, SocketHolder>): SocketQuestion[] {
    return questions.filter(({ socket, known, answer }) => {
      const holder = holders.get(socket);
      if (holder === undefined) return true;
      known.peer = holder.peer;
      this.#rememberPid(holder.pid);
      answer(holder.peer);
      return false;
    });
  }

  #rememberPid(pid: number): void {
    this.#recentPids.delete(pid);
    this.#recentPids.add(pid);
    const [oldest] = this.#recentPids;
    if (this.#recentPids.size > recentMax && oldest !== undefined) this.#recentPids.delete(oldest);
  }

  #giveUp(questions: readonly Question[], retryAtMs: number): void {
    for (const { known, answer } of questions) {
      known.retryAtMs = retryAtMs;
      answer(undefined);
    }
  }
}
