// Tests of requests to the server of a target: compression, the addresses that its name resolves to, and what only Sentry is told.
import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { createServer as createSocketServer } from "node:net";
import { type Invitation, textOf } from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test, vi } from "vitest";
import { key, openForwardFolder } from "../../../test/monitor/forwarding-folder.ts";
import { type Scripted, startForwardServer } from "../../../test/monitor/forwarding-server.ts";
import { reportWith } from "../../../test/monitor/monitor-folder.ts";
import { connectToServer } from "./server-connection.ts";

/** Long enough that Kit compresses it. */
const stackTrace = "Error: No key\n    at open (game/door.js:41:7)\n".repeat(50);

test("a server that cannot unpack a request gets it once more as it is, and later ones without compression", async () => {
  for (const status of [400, 415]) {
    await using folder = await openForwardFolder();
    const unlessZipped: Scripted = (response, { headers }) =>
      response.writeHead(headers["content-encoding"] === undefined ? 200 : status).end();
    folder.server.script = Array(3).fill(unlessZipped);
    await folder.add({ kind: "sentry", address: folder.dsn, game: null });
    for (const text of ["No key", "No door"]) {
      await folder.take([reportWith(text, { stackTrace })]);
      await folder.target(({ waiting }) => waiting === 0);
    }
    const encodings = folder.server.received.map(({ headers }) => headers["content-encoding"]);
    assert.deepEqual(encodings, ["gzip", undefined, undefined], `${status}`);
    assert.deepEqual((await folder.target()).delivered, 2);
  }
});

test("a server that unpacked a request is not asked to read a refused one without compression", async () => {
  await using folder = await openForwardFolder();
  await folder.add({ kind: "sentry", address: folder.dsn, game: null });
  await folder.take([reportWith("No key", { stackTrace })]);
  await folder.target(({ delivered }) => delivered === 1);
  folder.server.script = [{ status: 400 }];
  await folder.take([reportWith("No door", { stackTrace })]);
  await folder.target(({ stopped }) => stopped !== null);
  const encodings = folder.server.received.map(({ headers }) => headers["content-encoding"]);
  assert.deepEqual(encodings, ["gzip", "gzip"]);
});

/** Answers each question for the address of a name, as a hostile or wrong name server could; no addresses: the name is unknown. */
function answerNames(addresses: readonly string[]): Disposable {
  const found = addresses.map((address) => ({ address, family: 4 }));
  const problem = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
  // Later, as Node's own does.
  const answer = (_: string, __: object, callback: (error: Error | null, found: dns.LookupAddress[]) => void) =>
    setImmediate(callback, found.length === 0 ? problem : null, found);
  const stub = vi.spyOn(dns, "lookup").mockImplementation(answer as never);
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      stub.mockRestore();
      syncBuiltinESMExports();
    },
  };
}

const outside = "Without TLS, only the local network is allowed, but the name resolves to another address. Use https.";
const elsewhere = "Plain http is only allowed for this computer, but the name resolves to another one. Use https.";
const reserved = "The name resolves to an address that no server can have.";
const unknown = "No server has this name (ENOTFOUND).";

test("a name that resolves to an address that must not be contacted gets nothing, and a sentence says why", async () => {
  // The server of the test would see a connection to 127.0.0.1 and, on Linux, to 0.0.0.0.
  const cases = [
    ["http", "tracker.example", true, ["198.51.100.7"], outside],
    ["http", "tracker.example", true, ["127.0.0.1", "198.51.100.7"], outside],
    ["http", "localhost", false, ["192.168.1.4"], elsewhere],
    ["http", "tracker.example", true, ["0.0.0.0"], reserved],
    ["https", "tracker.example", false, ["0.0.0.0"], reserved],
    ["https", "tracker.example", false, ["127.0.0.1", "169.254.169.254"], reserved],
    ["http", "tracker.example", true, [], unknown],
    ["https", "tracker.example", false, [], unknown],
  ] as const;
  for (const [scheme, name, withoutTls, addresses, says] of cases) {
    await using folder = await openForwardFolder();
    using _ = answerNames(addresses);
    const address = `${scheme}://${key}@${name}:${folder.server.port}/7`;
    const { id } = await folder.add({ kind: "sentry", address, game: null, withoutTls });
    assert.equal(textOf((await folder.test(id)).says), says);
    await folder.take([reportWith("No key")]);
    const { lastError, delivered, waiting } = await folder.target(({ waitsBecause }) => waitsBecause === "failure");
    assert.equal(textOf(lastError ?? ""), says);
    assert.deepEqual([delivered, waiting], [0, 1]);
    assert.deepEqual([folder.server.connections().made, await folder.sent(id)], [0, []], `${scheme} ${addresses}`);
  }
});

test("a name that resolves to this computer gets its reports by plain http if a person allowed to do without TLS", async () => {
  await using folder = await openForwardFolder();
  using _ = answerNames(["127.0.0.1"]);
  const address = `http://${key}@tracker.example:${folder.server.port}/7`;
  await folder.add({ kind: "sentry", address, game: null, withoutTls: true });
  await folder.take([reportWith("No key")]);
  await folder.target(({ delivered }) => delivered === 1);
  assert.equal(folder.server.received.length, 1);
});

test("a tester who accepts an invitation without TLS sends by plain http, to the local network only", async () => {
  await using folder = await openForwardFolder();
  const invitation: Invitation = {
    ...{ version: 1, studio: "Lantern Games", text: "", kind: "sentry", game: null, environment: null, asks: [] },
    address: `http://${key}@tracker.example:${folder.server.port}/7`,
  };
  const chosen = { reports: true, earlierEvents: false, installation: false, videos: false };
  await assert.rejects(folder.accept({ invitation, ...chosen }), /https/);
  const names = answerNames(["198.51.100.7"]);
  const { id } = await folder.accept({ invitation: { ...invitation, withoutTls: true }, ...chosen });
  await folder.take([reportWith("No key")]);
  const { lastError } = await folder.target(({ waitsBecause }) => waitsBecause === "failure");
  assert.deepEqual([textOf(lastError ?? ""), folder.server.connections().made], [outside, 0]);
  names[Symbol.dispose]();
  using _ = answerNames(["127.0.0.1"]);
  await folder.change(id, { enabled: true });
  await folder.target(({ delivered }) => delivered === 1);
  assert.equal(folder.server.received.length, 1);
});

test("only servers of Sentry itself are told not to guess an address, because others may refuse the setting", async () => {
  using _ = answerNames(["127.0.0.1"]);
  const cases = [
    ["sentry.io", true],
    ["o1.ingest.us.sentry.io", true],
    ["notsentry.io", false],
    ["sentry.io.tracker.example", false],
    ["tracker.example", false],
  ] as const;
  for (const [name, isSentry] of cases) {
    // The folder's own server refuses the setting, as Bugsink does.
    await using server = await startForwardServer();
    await using folder = await openForwardFolder();
    const address = `http://${key}@${name}:${server.port}/7`;
    const { id } = await folder.add({ kind: "sentry", address, game: null, withoutTls: true });
    await folder.test(id);
    await folder.take([reportWith("No key")]);
    const requests = await server.have(2);
    const kit = { name: "kit", version: "0.1.0" };
    const expected = isSentry ? { ...kit, settings: { infer_ip: "never" } } : kit;
    for (const { body } of requests) {
      const [, [[, event] = assert.fail()]] = parseEnvelope(body) as EventEnvelope;
      assert.deepEqual((event as Event).sdk, expected);
    }
  }
});

test("a server that never answers the question for its time is asked once, and gets reports all the same", async () => {
  const methods: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    methods.push(request.method);
    if (request.method === "HEAD") return void response.destroy();
    // Its answers have no date, so Kit does not learn the time from them either.
    response.sendDate = false;
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const connection = await connectToServer({ url, withinMs: 10_000, now: Date.now });
  const { signal } = new AbortController();
  for (let n = 0; n < 2; n += 1) {
    assert.equal(await connection.clockAheadMs(signal), 0);
    assert.equal((await connection.post({ url, headers: {}, body: "x", signal })).status, 200);
  }
  assert.deepEqual(methods, ["HEAD", "POST", "POST"]);
  connection.close();
  server.close();
  await once(server, "close");
});

const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
/** What servers write in place of a response, or before it; whether they close the connection then; the status that counts, null for none. */
const interim: readonly (readonly [string, "stays open" | "is closed", readonly (number | null)[]])[] = [
  [switching, "stays open", [101]],
  [switching, "is closed", [101]],
  // Whether this switches protocols, Node decides by the request.
  ["HTTP/1.1 101 Switching Protocols\r\n\r\n", "is closed", [101, null]],
  ["HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "is closed", [null]],
  ["HTTP/1.1 199 Odd\r\n\r\n", "stays open", [null]],
  ["HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 503 Later\r\nContent-Length: 0\r\n\r\n", "stays open", [503]],
];

test("whatever 1xx a server answers, a test of its target ends, a stream ends, and the target says why and tries again", async () => {
  for (const [text, connectionThen, statuses] of interim) {
    const withinMs = statuses.includes(null) ? 100 : 10_000;
    const server = createSocketServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        if (!/^(HEAD|POST) /.test(bytes.toString("latin1"))) return;
        if (connectionThen === "is closed") socket.end(text);
        else socket.write(text);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    await using folder = await openForwardFolder({ limits: { growthEveryMs: 200, pauseMs: 0, withinMs } });
    const address = `${url.replace("//", `//${key}@`)}7`;
    const { id } = await folder.add({ kind: "sentry", address, game: null });
    const { ok, status } = await folder.test(id);
    assert.ok(!ok && statuses.includes(status), `${text}${status}`);
    const connection = await connectToServer({ url, withinMs, now: Date.now });
    const body = async function* () {
      yield new Uint8Array(9);
    };
    const { signal } = new AbortController();
    const streamed = await connection
      .stream({ url, headers: {}, body, bytes: 9, signal, onSent: () => undefined })
      .catch(() => undefined);
    assert.ok(statuses.includes(streamed?.status ?? null), `${text}${streamed?.status}`);
    connection.close();
    await folder.take([reportWith("No key")]);
    const { lastError, stopped, waiting } = await folder.target(({ waitsBecause }) => waitsBecause === "failure");
    assert.deepEqual([lastError !== null, stopped, waiting], [true, null, 1]);
    server.close();
  }
});
