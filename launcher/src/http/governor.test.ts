// When there are too many connections an unfinished one goes, never one that waits for its answer, never the newcomer.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { openRaw, type RawConnection } from "../../test/support/raw-http.ts";
import { createGovernor, type Governor } from "./governor.ts";

const limit = 8;
let server: Server;
let governor: Governor;
let port = 0;
let open: RawConnection[] = [];
/** Answers under way at `/slow`. */
let waiting: ServerResponse[] = [];

beforeEach(async () => {
  governor = createGovernor(limit);
  waiting = [];
  open = [];
  server = createServer((request, response) => {
    request.resume();
    if (request.url === "/slow") waiting.push(response);
    else request.once("end", () => response.end("here"));
  });
  governor.watch(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const { socket } of open) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

/** Opens a connection, sends `bytes`, and resolves when the server has taken it. */
async function begin(bytes: string): Promise<RawConnection> {
  const taken = once(server, "connection");
  const connection = openRaw(port);
  open.push(connection);
  connection.socket.write(bytes);
  await taken;
  return connection;
}

const half = "POST / HTTP/1.1\r\nHost: x\r\nContent-Le";
const whole = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n";

async function isServed(connection: RawConnection): Promise<boolean> {
  const [answer] = await connection.answers();
  return answer?.status === 200;
}

async function beginMany(count: number, bytes: string): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let index = 0; index < count; index += 1) connections.push(await begin(bytes));
  return connections;
}

test("within the limit nobody goes", async () => {
  await beginMany(limit - 1, half);
  assert.equal(await isServed(await begin(whole)), true);
  assert.equal(governor.evictedCount(), 0);
});

test("beyond the limit the oldest unfinished connection goes, and the newcomer is served", async () => {
  const halves = await beginMany(limit, half);
  assert.equal(await isServed(await begin(whole)), true);
  await halves[0]?.ended;
  assert.equal(governor.evictedCount(), 1);
  assert.equal(halves[1]?.socket.destroyed, false);
});

test("however many unfinished connections come, every game that comes after them is served", async () => {
  for (let round = 0; round < 20; round += 1) {
    await beginMany(limit, half);
    assert.equal(await isServed(await begin(whole)), true);
  }
  assert.ok(governor.evictedCount() >= 20 * limit - limit);
});

test("a connection whose body is not whole counts as unfinished", async () => {
  const [body] = await beginMany(limit, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab");
  assert.equal(await isServed(await begin(whole)), true);
  await body?.ended;
});

test("a connection that waits for its answer stays, however many come", async () => {
  const first = await begin(slow);
  while (waiting.length === 0) await once(server, "request");
  await beginMany(limit * 3, half);
  waiting[0]?.end("late");
  assert.equal(await isServed(first), true);
});

test("where everybody is finished, the one that was longest idle goes", async () => {
  const idle = await beginMany(limit, whole);
  for (const connection of idle) assert.equal(await isServed(connection), true);
  assert.equal(await isServed(await begin(whole)), true);
  await idle[0]?.ended;
  assert.equal(idle[1]?.socket.destroyed, false);
});

test("unfinished connections go before idle ones", async () => {
  const idle = await begin(whole);
  await isServed(idle);
  const halves = await beginMany(limit - 1, half);
  assert.equal(await isServed(await begin(whole)), true);
  await halves[0]?.ended;
  assert.equal(idle.socket.destroyed, false);
});

test("connections that were closed by the other side are no longer counted", async () => {
  for (let round = 0; round < 5; round += 1) {
    for (const connection of await beginMany(limit - 3, half)) {
      connection.socket.destroy();
      await connection.ended;
    }
    // The server has noticed when it serves who comes next.
    assert.equal(await isServed(await begin(whole)), true);
    open.at(-1)?.socket.destroy();
    await open.at(-1)?.ended;
  }
  assert.equal(governor.evictedCount(), 0);
});
