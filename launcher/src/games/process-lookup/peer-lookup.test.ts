// Tests of peer lookup: each connection's process is searched for once, briefly, and without delaying ingest.
import assert from "node:assert/strict";
import { setImmediate as aTurn } from "node:timers/promises";
import { test, vi } from "vitest";
import { PeerLookup } from "./peer-lookup.ts";
import type { PeerProcess, ProcessTable, SocketHolder } from "./processes.ts";
import type { Connection, FindSockets } from "./sockets.ts";

const saga: PeerProcess = {
  pid: 4_001,
  path: "/saga",
  command: "/saga",
  arguments: [],
  folder: "/",
  startedAt: "boot 1",
};

/** A machine whose searches last until the test ends them, with simulated time. */
function machine() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const held = new Map<number, PeerProcess>();
  const searches: { ports: number[]; end: () => Promise<void> }[] = [];
  /** Processes that the running search missed. */
  const passed = new Set<number>();
  let looks = 0;
  const portOf = (socket: string) => Number(socket.slice("socket of ".length));
  const heldOf = (sockets: ReadonlySet<string>, may: (peer: PeerProcess) => boolean) =>
    new Map(
      [...sockets].flatMap((socket) => {
        const peer = held.get(portOf(socket));
        return peer !== undefined && may(peer) ? [[socket, { pid: peer.pid, peer }] as const] : [];
      }),
    );
  const findSockets: FindSockets = async (connections) => {
    looks += 1;
    const open = connections.filter((connection) => !closed.has(connection));
    return new Map(open.map((connection) => [connection, `socket of ${connection.remotePort}`]));
  };
  const closed = new Set<Connection>();
  const processes: ProcessTable = {
    findHoldersAmong(pids, sockets) {
      const among = new Set(pids);
      return heldOf(sockets, ({ pid }) => among.has(pid));
    },
    findHolders(sockets) {
      const { promise, resolve } = Promise.withResolvers<Map<string, SocketHolder>>();
      const end = async () => {
        resolve(heldOf(sockets, ({ pid }) => !passed.has(pid)));
        passed.clear();
        await aTurn();
      };
      searches.push({ ports: [...sockets].map(portOf), end });
      return promise;
    },
    findStarted: async () => [],
    isRunning: async () => true,
    findRunning: async () => [],
    find: async () => undefined,
  };
  const onFailure = (error: unknown) => assert.fail(`${error}`);
  const connections = new PeerLookup({ processes, findSockets, now: Date.now, onFailure });
  const search = (connection: Connection) => connections.findPeer(connection);
  const isUnderWay = (known: ReturnType<typeof search>) => known !== undefined && "found" in known;
  /** Asks with the time limit of an acknowledgement. */
  const peerOf = (connection: Connection) => {
    const known = search(connection);
    return isUnderWay(known) ? known.inTime : known;
  };
  /** Asks without a time limit. */
  const peerWithoutLimit = (connection: Connection) => {
    const known = search(connection);
    return isUnderWay(known) ? known.found : known;
  };
  const advance = async (ms: number) => {
    await aTurn();
    vi.advanceTimersByTime(ms);
    await aTurn();
  };
  return { held, closed, passed, searches, peerOf, peerWithoutLimit, advance, looks: () => looks };
}

test("a connection is searched for once, and later answers are immediate", async () => {
  const { held, searches, peerOf, looks } = machine();
  held.set(40_000, saga);
  const connection = { remotePort: 40_000 };
  const peer = peerOf(connection);
  await aTurn();
  await searches[0]?.end();
  assert.equal(await peer, saga);
  for (let event = 0; event < 100; event += 1) assert.equal(peerOf(connection), saga);
  assert.deepEqual([searches.length, looks()], [1, 1]);
});

test("a program that opens a connection for each event is found without another search", async () => {
  const { held, searches, peerOf, advance } = machine();
  held.set(40_000, saga);
  const first = peerOf({ remotePort: 40_000 });
  await aTurn();
  await searches[0]?.end();
  await first;
  for (let port = 40_001; port < 40_100; port += 1) {
    held.set(port, saga);
    const peer = peerOf({ remotePort: port });
    await advance(1);
    assert.equal(await peer, saga);
  }
  assert.equal(searches.length, 1);
});

test("connections that arrive before a search starts share it", async () => {
  const { held, searches, peerOf, advance } = machine();
  for (const port of [40_000, 40_001, 40_002]) held.set(port, saga);
  const peer: unknown[] = [];
  for (const remotePort of [40_000, 40_001, 40_002]) {
    peer.push(peerOf({ remotePort }));
    await advance(1);
  }
  await aTurn();
  await searches[0]?.end();
  await advance(1);
  assert.deepEqual(await Promise.all(peer), [saga, saga, saga]);
  assert.equal(searches.length, 1);
});

test("an answer waits at most 100 ms for the search, and a later result counts from then on", async () => {
  const { held, searches, peerOf, advance } = machine();
  held.set(40_000, saga);
  const connection = { remotePort: 40_000 };
  const peer = peerOf(connection);
  await advance(100);
  assert.equal(await peer, undefined);
  await aTurn();
  await searches[0]?.end();
  assert.equal(peerOf(connection), saga);
});

test("events on a connection share its running search, and can wait for a late result", async () => {
  const { held, searches, peerOf, peerWithoutLimit, advance } = machine();
  held.set(40_000, saga);
  const connection = { remotePort: 40_000 };
  const first = peerOf(connection);
  const second = peerOf(connection);
  const found = peerWithoutLimit(connection);
  await advance(100);
  assert.deepEqual(await Promise.all([first, second, peerOf(connection)]), [undefined, undefined, undefined]);
  const foundLater = peerWithoutLimit(connection);
  await searches[0]?.end();
  assert.deepEqual(await Promise.all([found, foundLater]), [saga, saga]);
  assert.equal(searches.length, 1);
});

test("searches that find nothing take at most a twentieth of the time, and connections in between are not waited for", async () => {
  const { searches, peerOf, advance } = machine();
  const unknown = peerOf({ remotePort: 40_000 });
  await advance(50);
  await aTurn();
  await searches[0]?.end();
  assert.equal(await unknown, undefined);
  const connection = { remotePort: 41_000 };
  assert.equal(await peerOf(connection), undefined);
  await advance(50 * 19 - 1);
  assert.equal(peerOf(connection), undefined);
  assert.equal(searches.length, 1);
  await advance(1);
  void peerOf(connection);
  await aTurn();
  assert.deepEqual(searches[1]?.ports, [41_000]);
});

test("a connection that closes during its search delays the next search only briefly", async () => {
  const { held, closed, searches, peerOf, advance } = machine();
  const brief = { remotePort: 40_000 };
  void peerOf(brief);
  await advance(50);
  closed.add(brief);
  await searches[0]?.end();
  await advance(3 * 50);
  held.set(40_001, saga);
  const peer = peerOf({ remotePort: 40_001 });
  await aTurn();
  await searches[1]?.end();
  assert.equal(await peer, saga);
});

test("a search finds a program by the connection that is open when it reaches the program", async () => {
  const { held, closed, searches, peerOf, advance } = machine();
  const first = { remotePort: 40_000 };
  void peerOf(first);
  await advance(100);
  closed.add(first);
  held.set(40_001, saga);
  const second = peerOf({ remotePort: 40_001 });
  await advance(50);
  await searches[0]?.end();
  assert.equal(await second, saga);
  assert.equal(searches.length, 1);
});

test("a connection whose program cannot be found is searched for again after 30 s at the earliest", async () => {
  const { searches, peerOf, advance } = machine();
  const connection = { remotePort: 40_000 };
  const peer = peerOf(connection);
  await aTurn();
  await searches[0]?.end();
  await peer;
  for (let event = 0; event < 100; event += 1) assert.equal(peerOf(connection), undefined);
  await advance(29_999);
  assert.equal(peerOf(connection), undefined);
  await advance(1);
  void peerOf(connection);
  await aTurn();
  assert.equal(searches.length, 2);
});

test("each of three games that start at once is found, because later connections wait for the next search", async () => {
  const { held, passed, searches, peerOf, advance } = machine();
  const peer: unknown[] = [];
  for (const [n, remotePort] of [40_000, 41_000, 42_000].entries()) {
    held.set(remotePort, { ...saga, pid: saga.pid + n });
    peer.push(peerOf({ remotePort }));
    await advance(5);
    if (n > 0) passed.add(saga.pid + n);
  }
  await searches[0]?.end();
  await advance(15);
  await searches[1]?.end();
  assert.deepEqual(await Promise.all(peer), [held.get(40_000), held.get(41_000), held.get(42_000)]);
  assert.deepEqual([searches.length, searches[1]?.ports], [2, [41_000, 42_000]]);
});

test("a closed connection starts no search of the processes", async () => {
  const { closed, searches, peerOf } = machine();
  const connection = { remotePort: 40_000 };
  closed.add(connection);
  assert.equal(await peerOf(connection), undefined);
  assert.equal(searches.length, 0);
});
