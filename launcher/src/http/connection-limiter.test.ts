// Tests of the limit of connections: above it an unfinished connection is closed, but never one that waits for its answer.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, test } from "vitest";
import { openRaw, type RawConnection } from "../../test/support/raw-http.ts";
import { type ConnectionLimiter, createConnectionLimiter } from "./connection-limiter.ts";

const limit = 8;
let server: Server;
let connectionLimiter: ConnectionLimiter;
let port = 0;
let open: RawConnection[] = [];
/** Unfinished answers at `/slow`. */
let waiting: ServerResponse[] = [];

beforeEach(async () => {
  connectionLimiter = createConnectionLimiter(limit);
  waiting = [];
  open = [];
  server = createServer((request, response) => {
    request.resume();
    if (request.url === "/slow") waiting.push(response);
    else request.once("end", () => response.end("here"));
  });
  connectionLimiter.watch(server);
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

/** Opens a connection, sends `bytes`, and resolves when the server has accepted it. */
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

test("below the limit no connection is closed", async () => {
  await beginMany(limit - 1, half);
  assert.equal(await isServed(await begin(whole)), true);
  assert.equal(connectionLimiter.evictedCount(), 0);
});

test("above the limit the oldest unfinished connection is closed, and the new one is served", async () => {
  const halves = await beginMany(limit, half);
  assert.equal(await isServed(await begin(whole)), true);
  await halves[0]?.ended;
  assert.equal(connectionLimiter.evictedCount(), 1);
  assert.equal(halves[1]?.socket.destroyed, false);
});

test("every game is served, however many unfinished connections there are", async () => {
  for (let round = 0; round < 20; round += 1) {
    await beginMany(limit, half);
    assert.equal(await isServed(await begin(whole)), true);
  }
  assert.ok(connectionLimiter.evictedCount() >= 20 * limit - limit);
});

test("a connection with an incomplete body counts as unfinished", async () => {
  const [body] = await beginMany(limit, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab");
  assert.equal(await isServed(await begin(whole)), true);
  await body?.ended;
});

test("a connection that waits for its answer stays open, however many others are opened", async () => {
  const first = await begin(slow);
  while (waiting.length === 0) await once(server, "request");
  await beginMany(limit * 3, half);
  waiting[0]?.end("late");
  assert.equal(await isServed(first), true);
});

test("if all connections are finished, the longest idle one is closed", async () => {
  const idle = await beginMany(limit, whole);
  for (const connection of idle) assert.equal(await isServed(connection), true);
  assert.equal(await isServed(await begin(whole)), true);
  await idle[0]?.ended;
  assert.equal(idle[1]?.socket.destroyed, false);
});

test("unfinished connections are closed before idle ones", async () => {
  const idle = await begin(whole);
  await isServed(idle);
  const halves = await beginMany(limit - 1, half);
  assert.equal(await isServed(await begin(whole)), true);
  await halves[0]?.ended;
  assert.equal(idle.socket.destroyed, false);
});

test("connections that the other side closed are not counted", async () => {
  for (let round = 0; round < 5; round += 1) {
    for (const connection of await beginMany(limit - 3, half)) {
      connection.socket.destroy();
      await connection.ended;
    }
    // When the server answers the next connection it has noticed the closed ones.
    assert.equal(await isServed(await begin(whole)), true);
    open.at(-1)?.socket.destroy();
    await open.at(-1)?.ended;
  }
  assert.equal(connectionLimiter.evictedCount(), 0);
});
