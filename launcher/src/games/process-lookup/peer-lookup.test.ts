// Who is at the other end of a connection: asked once, not for long, and never at the cost of taking events in.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as aTurn } from "node:timers/promises";
import { PeerLookup } from "./peer-lookup.ts";
import type { PeerProcess, ProcessTable, SocketHolder } from "./processes.ts";
import type { Connection } from "./sock-diag.ts";
import type { FindSockets } from "./sockets.ts";

const saga: PeerProcess = {
  pid: 4_001,
  path: "/saga",
  command: "/saga",
  arguments: [],
  folder: "/",
  startedAt: "boot 1",
};

/** A machine on which a search takes until the test says what it found. Time passes when the test says so. */
function machine(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const held = new Map<number, PeerProcess>();
  const searches: { ports: number[]; end: () => Promise<void> }[] = [];
  /** Processes the search under way went past before they were asked for. */
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
    findRunning: () => [],
  };
  const onFailure = (error: unknown) => assert.fail(`${error}`);
  const connections = new PeerLookup({ processes, findSockets, now: Date.now, onFailure });
  const search = (connection: Connection) => connections.findPeer(connection);
  const isUnderWay = (known: ReturnType<typeof search>) => known !== undefined && "found" in known;
  /** As an acknowledgement asks. */
  const peerOf = (connection: Connection) => {
    const known = search(connection);
    return isUnderWay(known) ? known.inTime : known;
  };
  /** As whoever has time asks. */
  const finallyOf = (connection: Connection) => {
    const known = search(connection);
    return isUnderWay(known) ? known.found : known;
  };
  const pass = async (ms: number) => {
    await aTurn();
    t.mock.timers.tick(ms);
    await aTurn();
  };
  return { held, closed, passed, searches, peerOf, finallyOf, pass, looks: () => looks };
}

test("a connection is asked for once, and from then on answered at once", async (t) => {
  const { held, searches, peerOf, looks } = machine(t);
  held.set(40_000, saga);
  const connection = { remotePort: 40_000 };
  const asked = peerOf(connection);
  await aTurn();
  await searches[0]?.end();
  assert.equal(await asked, saga);
  for (let event = 0; event < 100; event += 1) assert.equal(peerOf(connection), saga);
  assert.deepEqual([searches.length, looks()], [1, 1]);
});

test("a program that opens a connection for each event is found without another search", async (t) => {
  const { held, searches, peerOf, pass } = machine(t);
  held.set(40_000, saga);
  const first = peerOf({ remotePort: 40_000 });
  await aTurn();
  await searches[0]?.end();
  await first;
  for (let port = 40_001; port < 40_100; port += 1) {
    held.set(port, saga);
    const asked = peerOf({ remotePort: port });
    await pass(1);
    assert.equal(await asked, saga);
  }
  assert.equal(searches.length, 1);
});

test("connections that come while one is searched for are answered with it", async (t) => {
  const { held, searches, peerOf, pass } = machine(t);
  for (const port of [40_000, 40_001, 40_002]) held.set(port, saga);
  const asked: unknown[] = [];
  for (const remotePort of [40_000, 40_001, 40_002]) {
    asked.push(peerOf({ remotePort }));
    await pass(1);
  }
  await aTurn();
  await searches[0]?.end();
  await pass(1);
  assert.deepEqual(await Promise.all(asked), [saga, saga, saga]);
  assert.equal(searches.length, 1);
});

test("an answer waits a tenth of a second for the look, and no longer; what is found later counts from then on", async (t) => {
  const { held, searches, peerOf, pass } = machine(t);
  held.set(40_000, saga);
  const connection = { remotePort: 40_000 };
  const asked = peerOf(connection);
  await pass(100);
  assert.equal(await asked, undefined);
  await aTurn();
  await searches[0]?.end();
  assert.equal(peerOf(connection), saga);
});

test("what comes over a connection while it is searched for shares the search, and learns what was found too late", async (t) => {
  const { held, searches, peerOf, finallyOf, pass } = machine(t);
  held.set(40_000, saga);
  const connection = { remotePort: 40_000 };
  const first = peerOf(connection);
  const second = peerOf(connection);
  const found = finallyOf(connection);
  await pass(100);
  assert.deepEqual(await Promise.all([first, second, peerOf(connection)]), [undefined, undefined, undefined]);
  const foundLater = finallyOf(connection);
  await searches[0]?.end();
  assert.deepEqual(await Promise.all([found, foundLater]), [saga, saga]);
  assert.equal(searches.length, 1);
});

test("searches in vain take a twentieth of the time at most: what comes in between is not waited for", async (t) => {
  const { searches, peerOf, pass } = machine(t);
  const unknown = peerOf({ remotePort: 40_000 });
  await pass(50);
  await aTurn();
  await searches[0]?.end();
  assert.equal(await unknown, undefined);
  const connection = { remotePort: 41_000 };
  assert.equal(await peerOf(connection), undefined);
  await pass(50 * 19 - 1);
  assert.equal(peerOf(connection), undefined);
  assert.equal(searches.length, 1);
  await pass(1);
  void peerOf(connection);
  await aTurn();
  assert.deepEqual(searches[1]?.ports, [41_000]);
});

test("a connection that closed while its program was searched for does not put off the next search for long", async (t) => {
  const { held, closed, searches, peerOf, pass } = machine(t);
  const brief = { remotePort: 40_000 };
  void peerOf(brief);
  await pass(50);
  closed.add(brief);
  await searches[0]?.end();
  await pass(3 * 50);
  held.set(40_001, saga);
  const asked = peerOf({ remotePort: 40_001 });
  await aTurn();
  await searches[1]?.end();
  assert.equal(await asked, saga);
});

test("a program that opens a connection for each event is found by the one that is open when the search comes to it", async (t) => {
  const { held, closed, searches, peerOf, pass } = machine(t);
  const first = { remotePort: 40_000 };
  void peerOf(first);
  await pass(100);
  closed.add(first);
  held.set(40_001, saga);
  const second = peerOf({ remotePort: 40_001 });
  await pass(50);
  await searches[0]?.end();
  assert.equal(await second, saga);
  assert.equal(searches.length, 1);
});

test("a connection whose program cannot be found is not looked for at every event", async (t) => {
  const { searches, peerOf, pass } = machine(t);
  const connection = { remotePort: 40_000 };
  const asked = peerOf(connection);
  await aTurn();
  await searches[0]?.end();
  await asked;
  for (let event = 0; event < 100; event += 1) assert.equal(peerOf(connection), undefined);
  await pass(29_999);
  assert.equal(peerOf(connection), undefined);
  await pass(1);
  void peerOf(connection);
  await aTurn();
  assert.equal(searches.length, 2);
});

test("of three games that begin at once each is found: what comes after one search waits for the next", async (t) => {
  const { held, passed, searches, peerOf, pass } = machine(t);
  const asked: unknown[] = [];
  for (const [n, remotePort] of [40_000, 41_000, 42_000].entries()) {
    held.set(remotePort, { ...saga, pid: saga.pid + n });
    asked.push(peerOf({ remotePort }));
    await pass(5);
    if (n > 0) passed.add(saga.pid + n);
  }
  await searches[0]?.end();
  await pass(15);
  await searches[1]?.end();
  assert.deepEqual(await Promise.all(asked), [held.get(40_000), held.get(41_000), held.get(42_000)]);
  assert.deepEqual([searches.length, searches[1]?.ports], [2, [41_000, 42_000]]);
});

test("a connection that is closed by now has no process looked through", async (t) => {
  const { closed, searches, peerOf } = machine(t);
  const connection = { remotePort: 40_000 };
  closed.add(connection);
  assert.equal(await peerOf(connection), undefined);
  assert.equal(searches.length, 0);
});
