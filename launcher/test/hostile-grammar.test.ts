// Bytes that are hardly HTTP, and connections that hardly move: answered or closed, never taken for an event.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type OwnLauncher, problemIn, startOwnLauncher, timestamp } from "./own-launcher.ts";
import { openRaw, requestBytes, sendRaw } from "./raw-http.ts";

let launcher: OwnLauncher;
let kept = 0;
before(async () => {
  launcher = await startOwnLauncher();
});
after(() => launcher?.[Symbol.asyncDispose]());
afterEach(async () => {
  assert.equal((await launcher.health()).storage.state, "ok");
  const { events } = (await launcher.api("GET", "/api/events?limit=500")).json<{ events: unknown[] }>();
  assert.equal(events.length, kept, "only what was answered 202 is stored");
});

const body = JSON.stringify({ eventId: "a_b", timestamp: timestamp() });
const size = body.length.toString(16);
const line = "POST /api/recording/trigger HTTP/1.1\r\n";
const type = "Content-Type: application/json\r\n";
const length = `Content-Length: ${body.length}\r\n`;
/** HOST stands for the right Host header. */
const rows: readonly (readonly [says: string, bytes: string, status: number])[] = [
  [
    "Content-Length with Transfer-Encoding",
    `${line}HOST${type}${length}Transfer-Encoding: chunked\r\n\r\n${body}`,
    400,
  ],
  [
    "Transfer-Encoding with Content-Length",
    `${line}HOST${type}Transfer-Encoding: chunked\r\n${length}\r\n0\r\n\r\n`,
    400,
  ],
  ["two Content-Lengths", `${line}HOST${type}${length}${length}\r\n${body}`, 400],
  ["two Content-Lengths that differ", `${line}HOST${type}${length}Content-Length: 1\r\n\r\n${body}`, 400],
  ["a negative Content-Length", `${line}HOST${type}Content-Length: -1\r\n\r\n${body}`, 400],
  ["a Content-Length with a sign", `${line}HOST${type}Content-Length: +${body.length}\r\n\r\n${body}`, 400],
  ["a Content-Length in hex", `${line}HOST${type}Content-Length: 0x${size}\r\n\r\n${body}`, 400],
  [
    "a Content-Length beyond all numbers",
    `${line}HOST${type}Content-Length: 99999999999999999999999\r\n\r\n${body}`,
    400,
  ],
  [
    "a chunk size that is no number",
    `${line}HOST${type}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
    400,
  ],
  [
    "a chunk that is longer than it says",
    `${line}HOST${type}Transfer-Encoding: chunked\r\n\r\n1\r\n${body}\r\n0\r\n\r\n`,
    400,
  ],
  ["Transfer-Encoding: identity", `${line}HOST${type}Transfer-Encoding: identity\r\n\r\n${body}`, 400],
  [
    "chunked twice",
    `${line}HOST${type}Transfer-Encoding: chunked, chunked\r\n\r\n${size}\r\n${body}\r\n0\r\n\r\n`,
    400,
  ],
  ["a blank before a header's colon", `${line}HOST${type}Content-Length : ${body.length}\r\n\r\n${body}`, 400],
  ["bare line feeds", `${line}HOST${type}${length}\r\n${body}`.replaceAll("\r\n", "\n"), 400],
  ["a bare carriage return in a header", `${line}HOST${type}X: a\rb\r\n${length}\r\n${body}`, 400],
  ["a folded header", `${line}HOST${type}X: a\r\n b\r\n${length}\r\n${body}`, 400],
  ["a NUL in a header", `${line}HOST${type}X: a\u0000b\r\n${length}\r\n${body}`, 400],
  ["a NUL in the address", `POST /api/recording/trigger\u0000 HTTP/1.1\r\nHOST${type}${length}\r\n${body}`, 400],
  ["a blank in the address", `POST /api/recording /trigger HTTP/1.1\r\nHOST${type}${length}\r\n${body}`, 400],
  ["a header without a name", `${line}HOST${type}: x\r\n${length}\r\n${body}`, 400],
  ["a header without a colon", `${line}HOST${type}nonsense\r\n${length}\r\n${body}`, 400],
  ["an unknown method", `FIRE /api/recording/trigger HTTP/1.1\r\nHOST${type}${length}\r\n${body}`, 400],
  ["a method in small letters", `post /api/recording/trigger HTTP/1.1\r\nHOST${type}${length}\r\n${body}`, 400],
  ["HTTP/2 by surprise", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["HTTP/9.9", `POST /api/recording/trigger HTTP/9.9\r\nHOST${type}${length}\r\n${body}`, 400],
  ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003", 400],
  ["headers beyond all measure", `${line}HOST${`X-A: ${"a".repeat(1_000)}\r\n`.repeat(20)}\r\n`, 431],
];
for (const [says, bytes, status] of rows) {
  test(`${says} is answered ${status}`, async () => {
    const host = `Host: 127.0.0.1:${launcher.port}\r\n`;
    const answer = await sendRaw(launcher.port, Buffer.from(bytes.replace("HOST", host), "latin1"));
    assert.equal(answer?.status, status, answer?.body ?? "no answer");
    assert.match(answer?.headers["content-type"] ?? "", /^application\/problem\+json/);
    assert.equal(
      problemIn(answer as { body: string }).code,
      status === 431 ? "headers_too_large" : "malformed_request",
    );
  });
}

test("CONNECT is closed without an answer that anybody could use as a tunnel", async () => {
  const answer = await sendRaw(
    launcher.port,
    requestBytes(launcher.port, { method: "CONNECT", target: "127.0.0.1:22" }),
  );
  assert.ok(answer === undefined || answer.status >= 400);
});

test("a chunked body is one event", async () => {
  const bytes = `${line}Host: localhost:${launcher.port}\r\n${type}Transfer-Encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n${(body.length - 5).toString(16)};x=y\r\n${body.slice(5)}\r\n0\r\n\r\n`;
  assert.equal((await sendRaw(launcher.port, bytes))?.status, 202);
  kept += 1;
});

test("a body in single bytes is one event", async () => {
  const connection = openRaw(launcher.port);
  connection.socket.setNoDelay(true);
  const request = {
    method: "POST",
    target: "/api/recording/trigger",
    headers: [["Content-Type", "application/json"]],
    body,
  } as const;
  for (const byte of requestBytes(launcher.port, request)) connection.socket.write(Buffer.from([byte]));
  const [answer] = await connection.answers();
  connection.socket.destroy();
  assert.equal(answer?.status, 202);
  kept += 1;
});

test("requests sent before the first answer are each answered once and in order", async () => {
  const good = requestBytes(launcher.port, { method: "POST", target: "/api/recording/trigger", body });
  const bad = requestBytes(launcher.port, { method: "POST", target: "/api/recording/trigger", body: "{}" });
  const connection = openRaw(launcher.port);
  connection.socket.write(Buffer.concat([good, bad, good, requestBytes(launcher.port, {})]));
  const answers = await connection.answers(4);
  connection.socket.destroy();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 422, 202, 200],
  );
  kept += 2;
});

test("an event with garbage behind it is answered as the event it is", async () => {
  const good = requestBytes(launcher.port, { method: "POST", target: "/api/recording/trigger", body });
  const answer = await sendRaw(launcher.port, Buffer.concat([good, Buffer.from("GARBAGE\r\n\r\n")]));
  assert.equal(answer?.status, 202, answer?.body ?? "no answer");
  kept += 1;
});

test("a client that goes away in the middle of its body leaves nothing behind, not even a bug in the log", async () => {
  const whole = requestBytes(launcher.port, { method: "POST", target: "/api/recording/trigger", body });
  const connection = openRaw(launcher.port);
  connection.socket.write(whole.subarray(0, whole.length - 5));
  // The launcher has taken the half request when it has answered one that was sent later.
  await launcher.health();
  connection.socket.destroy();
  await connection.ended;
  await launcher.health();
  assert.doesNotMatch(launcher.process().output(), /"event":"bug"/);
});

for (const [what, beginning] of [
  ["headers", `${line}`],
  ["a body", `${line}HOST${type}Content-Length: 200\r\n\r\n{`],
] as const) {
  test(`a connection that dribbles ${what} is ended, and others are served meanwhile`, async () => {
    const connection = openRaw(launcher.port);
    connection.socket.write(beginning.replace("HOST", `Host: 127.0.0.1:${launcher.port}\r\n`));
    while (!connection.socket.destroyed) {
      connection.socket.write("x");
      assert.equal((await launcher.health()).product, "kit");
      await pause(250);
    }
    const [answer] = await connection.answers();
    assert.ok(answer === undefined || answer.status === 408, `answered ${answer?.status}`);
  });
}
