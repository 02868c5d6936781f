// Who is at the other end of a connection: asked once, not for long, and never at the cost of taking events in.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as aTurn } from "node:timers/promises";
import { createConnections } from "./connections.ts";
import type { Peer, Processes } from "./processes.ts";

const saga: Peer = { pid: 4_001, path: "/saga", command: "/saga", arguments: [], folder: "/", startedAt: "boot 1" };

/** A machine on which a search takes until the test says what it found. Time passes when the test says so. */
function machine(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const held = new Map<number, Peer>();
  const searches: { ports: number[]; end: () => Promise<void> }[] = [];
  let looks = 0;
  const heldOf = (ports: Iterable<number>, may: (peer: Peer) => boolean) =>
    new Map(
      [...ports].flatMap((port) => {
        const peer = held.get(port);
        return peer !== undefined && may(peer) ? [[port, peer] as const] : [];
      }),
    );
  const processes: Processes = {
    async holdersAmong(pids, ports) {
      looks += 1;
      const among = new Set(pids);
      return heldOf(ports, ({ pid }) => among.has(pid));
    },
    holders(ports) {
      const { promise, resolve } = Promise.withResolvers<Map<number, Peer>>();
      const end = async () => {
        resolve(heldOf(ports, () => true));
        await aTurn();
      };
      searches.push({ ports: [...ports], end });
      return promise;
    },
    runningFrom: () => [],
  };
  const { peerOf } = createConnections({ processes, now: Date.now, onFailure: (error) => assert.fail(`${error}`) });
  const pass = async (ms: number) => {
    await aTurn();
    t.mock.timers.tick(ms);
    await aTurn();
  };
  return { held, searches, peerOf, pass, looks: () => looks };
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

test("searches take a twentieth of the time at most: what comes in between is not waited for", async (t) => {
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
