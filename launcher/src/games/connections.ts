// Which program is at the other end of a connection: looked up once a connection, many at a time, and never for long.
import type { Peer, Processes } from "./processes.ts";

/** An acknowledgement waits at most this long for the look at who sent the event, and only for the first of a connection. */
const waitMsMax = 100;
/** A connection whose program cannot be found is not looked for at each of its events. */
const againAfterMs = 30_000;
/** A look at known programs is followed by a pause as long; many connections share the next one. A flood of reports asks seldom. */
const lookPause = 1;
/** On a busy machine a look seems long; what waits for the next one must not wait in vain. */
const lookPauseMsMax = 40;
/** A search through all processes takes a twentieth of the time at most. */
const searchPause = 19;
/** Where a connection is looked for first: a game that opens one for each event must not cost a search each time. */
const recentMax = 16;

export type Connection = { readonly remotePort?: number | undefined };

export type Connections = {
  /** Undefined where it is not known, not known in time, or not to be known on this system. */
  peerOf(connection: Connection): Peer | undefined | Promise<Peer | undefined>;
};

export type ConnectionsNeeds = {
  readonly processes: Processes | undefined;
  /** A clock that nobody sets back. */
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
};

type Known = { peer: Peer | undefined; againAtMs: number };
type Question = { readonly port: number; readonly known: Known; readonly answer: (peer: Peer | undefined) => void };

const portsOf = (questions: readonly Question[]) => new Set(questions.map(({ port }) => port));

export function createConnections({ processes, now, onFailure }: ConnectionsNeeds): Connections {
  const connections = new WeakMap<Connection, Known>();
  /** By process id, the newest last. */
  const recent = new Map<number, Peer>();
  const asked: Question[] = [];
  const unanswered: Question[] = [];
  let isLooking = false;
  let isSearching = false;
  let searchAgainAtMs = 0;

  /** Answers what was found and returns the rest. */
  const answer = (questions: readonly Question[], found: ReadonlyMap<number, Peer>): Question[] => {
    return questions.filter(({ port, known, answer: say }) => {
      const peer = found.get(port);
      if (peer === undefined) return true;
      known.peer = peer;
      recent.delete(peer.pid);
      recent.set(peer.pid, peer);
      const [oldest] = recent.keys();
      if (recent.size > recentMax && oldest !== undefined) recent.delete(oldest);
      say(peer);
      return false;
    });
  };
  const giveUp = (questions: readonly Question[], againAtMs: number) => {
    for (const { known, answer: say } of questions) {
      known.againAtMs = againAtMs;
      say(undefined);
    }
  };
  const search = async (all: Processes) => {
    isSearching = true;
    const beganMs = now();
    const questions = unanswered.splice(0);
    try {
      giveUp(answer(questions, await all.holders(portsOf(questions))), now() + againAfterMs);
    } catch (error) {
      giveUp(questions, now() + againAfterMs);
      onFailure(error);
    }
    searchAgainAtMs = now() + (now() - beganMs) * searchPause;
    isSearching = false;
    // What was asked meanwhile is often of the program that was just found.
    asked.push(...unanswered.splice(0));
    void look(all);
  };
  /** Looks at the programs that were found last, and leaves the rest to a search where one may begin. */
  const look = async (all: Processes) => {
    if (isLooking || asked.length === 0) return;
    isLooking = true;
    const beganMs = now();
    const questions = asked.splice(0);
    try {
      unanswered.push(...answer(questions, await all.holdersAmong([...recent.keys()].reverse(), portsOf(questions))));
    } catch (error) {
      giveUp(questions, now() + againAfterMs);
      onFailure(error);
    }
    const lookAgain = () => {
      isLooking = false;
      void look(all);
    };
    setTimeout(lookAgain, Math.min(lookPauseMsMax, (now() - beganMs) * lookPause)).unref();
    if (isSearching || unanswered.length === 0) return;
    if (now() < searchAgainAtMs) giveUp(unanswered.splice(0), searchAgainAtMs);
    else void search(all);
  };
  const ask = (all: Processes, port: number, known: Known) =>
    new Promise<Peer | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), waitMsMax);
      const say = (peer: Peer | undefined) => {
        clearTimeout(timer);
        resolve(peer);
      };
      asked.push({ port, known, answer: say });
      void look(all);
    });

  return {
    peerOf(connection) {
      if (processes === undefined || connection.remotePort === undefined) return undefined;
      const before = connections.get(connection);
      if (before !== undefined && (before.peer !== undefined || now() < before.againAtMs)) return before.peer;
      const known: Known = { peer: undefined, againAtMs: now() + againAfterMs };
      connections.set(connection, known);
      return ask(processes, connection.remotePort, known);
    },
  };
}
