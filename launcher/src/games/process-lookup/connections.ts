// Which program is at the other end of a connection: looked up once a connection, many at a time, and never for long.
import type { Connection } from "./connection.ts";
import type { Holder, Peer, Processes } from "./processes.ts";
import type { FindSockets } from "./sockets.ts";

/** An acknowledgement waits at most this long for the look at who sent the event, and only for the first of a connection. */
const waitMsMax = 100;
/** A connection whose program cannot be found is not looked for at each of its events. */
const againAfterMs = 30_000;
/** A look that takes long is followed by a pause as long; many connections share the next one. A flood of reports asks seldom. */
const lookMsShort = 1;
/** On a busy machine a look seems long; what waits for the next one must not wait in vain. */
const lookPauseMsMax = 40;
/** After a search that found everything the pause is as long as it took: each game is searched for once. */
const searchPause = 1;
/** Whose connection closed meanwhile may be found by the next one; a flood of brief connections must not have all the time either. */
const closedSearchPause = 3;
/** Who cannot be found, as another user's program, may not have every process looked through all the time. */
const vainSearchPause = 19;
/** Where a connection is looked for first: a game that opens one for each event must not cost a search each time. */
const recentMax = 16;

/** Under way: all events that come over the connection meanwhile share it. */
type Search = {
  /** Undefined also where it takes too long for an acknowledgement to wait. */
  readonly inTime: Promise<Peer | undefined>;
  /** Whenever the search has ended. */
  readonly found: Promise<Peer | undefined>;
};

export type Connections = {
  /** Undefined where it is not known, or not to be known on this system. */
  peerOf(connection: Connection): Peer | undefined | Search;
};

export type ConnectionsNeeds = {
  readonly processes: Processes | undefined;
  readonly findSockets: FindSockets;
  /** A clock that nobody sets back. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
};

type Known = { peer: Peer | undefined; search: Search | undefined; againAtMs: number };
type Asked = {
  readonly connection: Connection;
  readonly known: Known;
  readonly answer: (peer: Peer | undefined) => void;
};
type Sought = Asked & { readonly socket: string };

const socketsOf = (questions: readonly Sought[]) => new Set(questions.map(({ socket }) => socket));

export function createConnections({ processes, findSockets, now, onFailure }: ConnectionsNeeds): Connections {
  const connections = new WeakMap<Connection, Known>();
  /** By the id of the process that holds its connections, the newest last. */
  const recent = new Set<number>();
  const asked: Asked[] = [];
  const sought: Sought[] = [];
  let isLooking = false;
  /** What the search under way looks for. */
  let searched: Set<string> | undefined;
  let searchAgainAtMs = 0;
  let willSearch = false;

  const giveUp = (questions: readonly Asked[], againAtMs: number) => {
    for (const { known, answer } of questions) {
      known.againAtMs = againAtMs;
      answer(undefined);
    }
  };
  /** Answers what was found and returns the rest. */
  const tell = (questions: readonly Sought[], found: ReadonlyMap<string, Holder>): Sought[] =>
    questions.filter(({ socket, known, answer }) => {
      const holder = found.get(socket);
      if (holder === undefined) return true;
      known.peer = holder.peer;
      recent.delete(holder.pid);
      recent.add(holder.pid);
      const [oldest] = recent;
      if (recent.size > recentMax && oldest !== undefined) recent.delete(oldest);
      answer(holder.peer);
      return false;
    });
  /** Also what is sought meanwhile: of a program that opens a connection for each event the first is closed by now. */
  const seek = (questions: readonly Sought[]) => {
    sought.push(...questions);
    for (const { socket } of questions) searched?.add(socket);
  };
  const areOpen = async (questions: readonly Sought[]): Promise<boolean> => {
    const sockets = await findSockets(questions.map(({ connection }) => connection));
    return questions.some(({ connection, socket }) => sockets.get(connection) === socket);
  };
  const search = async (all: Processes) => {
    const beganMs = now();
    const questions = sought.splice(0);
    searched = socketsOf(questions);
    let pause = vainSearchPause;
    let found: ReadonlyMap<string, Holder> = new Map();
    try {
      found = await all.holders(searched);
      const left = tell(questions, found);
      giveUp(left, now() + againAfterMs);
      pause = left.length === 0 ? searchPause : (await areOpen(left)) ? vainSearchPause : closedSearchPause;
    } catch (error) {
      giveUp(questions, now() + againAfterMs);
      onFailure(error);
    }
    searchAgainAtMs = now() + (now() - beganMs) * pause;
    searched = undefined;
    // What was asked meanwhile is often of the program that was just found.
    const waited = tell(sought.splice(0), found);
    sought.push(...tell(waited, all.holdersAmong([...recent].reverse(), socketsOf(waited))));
    searchSoon(all);
  };
  /** What would wait in vain is answered at once. */
  const searchSoon = (all: Processes) => {
    if (searched !== undefined || sought.length === 0) return;
    const inMs = searchAgainAtMs - now();
    if (inMs <= 0) void search(all);
    else if (inMs >= waitMsMax) giveUp(sought.splice(0), searchAgainAtMs);
    else if (!willSearch) {
      willSearch = true;
      const searchNow = () => {
        willSearch = false;
        searchSoon(all);
      };
      setTimeout(searchNow, inMs).unref();
    }
  };
  /** Looks at the programs that were found last, and leaves the rest to a search. */
  const look = async (all: Processes) => {
    if (isLooking || asked.length === 0) return;
    isLooking = true;
    const beganMs = now();
    const questions = asked.splice(0);
    try {
      const sockets = await findSockets(questions.map(({ connection }) => connection));
      const open = questions.flatMap((question) => {
        const socket = sockets.get(question.connection);
        return socket === undefined ? [] : [{ ...question, socket }];
      });
      giveUp(
        questions.filter(({ connection }) => !sockets.has(connection)),
        now() + againAfterMs,
      );
      seek(tell(open, all.holdersAmong([...recent].reverse(), socketsOf(open))));
    } catch (error) {
      giveUp(questions, now() + againAfterMs);
      onFailure(error);
    }
    searchSoon(all);
    const tookMs = now() - beganMs;
    const lookAgain = () => {
      isLooking = false;
      void look(all);
    };
    if (tookMs > lookMsShort) setTimeout(lookAgain, Math.min(lookPauseMsMax, tookMs)).unref();
    else lookAgain();
  };
  const ask = (all: Processes, connection: Connection, known: Known): Search => {
    const inTime = Promise.withResolvers<Peer | undefined>();
    const found = Promise.withResolvers<Peer | undefined>();
    const timer = setTimeout(inTime.resolve, waitMsMax, undefined);
    const answer = (peer: Peer | undefined) => {
      clearTimeout(timer);
      known.search = undefined;
      inTime.resolve(peer);
      found.resolve(peer);
    };
    asked.push({ connection, known, answer });
    void look(all);
    return { inTime: inTime.promise, found: found.promise };
  };

  return {
    peerOf(connection) {
      if (processes === undefined || connection.remotePort === undefined) return undefined;
      const before = connections.get(connection);
      if (before?.search !== undefined) return before.search;
      if (before !== undefined && (before.peer !== undefined || now() < before.againAtMs)) return before.peer;
      const known: Known = { peer: undefined, search: undefined, againAtMs: now() + againAfterMs };
      connections.set(connection, known);
      known.search = ask(processes, connection, known);
      return known.search;
    },
  };
}
