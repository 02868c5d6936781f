// Tests of the stand-in's launcher states: each behaves as described in conformance/README.md.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, test } from "vitest";
import { until } from "../../launcher/test/support/until.ts";
import { answerOf, body, connected, inState, send } from "./asking.ts";

describe("the stand-in in state", { concurrent: true }, () => {
  test("answers: sends 202 and a receipt, and records every byte of the request", () =>
    inState("answers", async (standIn) => {
      assert.match(await answerOf(standIn), /^HTTP\/1\.1 202 [\s\S]*\{"id":"[-0-9a-f]{36}","status":"accepted"\}/);
      const [arrival] = standIn.arrivals;
      assert.deepEqual(
        [arrival?.method, arrival?.target, String(arrival?.body)],
        ["POST", "/api/recording/trigger", body],
      );
      assert.deepEqual(
        arrival?.headers.filter(([name]) => name === "x-twice"),
        [
          ["x-twice", "a"],
          ["x-twice", "b"],
        ],
      );
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("answers: accepts on both loopback addresses", () =>
    inState("answers", async (standIn) => {
      assert.match(await answerOf(standIn, "::1"), /^HTTP\/1\.1 202 /);
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("fails: sends 500", () =>
    inState("fails", async (standIn) => assert.match(await answerOf(standIn), /^HTTP\/1\.1 500 /)));

  test("rejects: sends 503, a problem document and Retry-After", () =>
    inState("rejects", async (standIn) => {
      const answer = await answerOf(standIn);
      assert.match(answer, /^HTTP\/1\.1 503 /);
      assert.match(answer, /^content-type: application\/problem\+json\r$/im);
      assert.match(answer, /^retry-after: 1\r$/im);
    }));

  test("redirects: sends 307 to another address, and records the requests there", () =>
    inState("redirects", async (standIn) => {
      const [, location = ""] = /^location: (.*)\r$/im.exec(await answerOf(standIn)) ?? [];
      const other = new URL(location);
      assert.notEqual(other.port, new URL(standIn.url).port);
      await fetch(other, { method: "POST", body });
      assert.deepEqual(
        standIn.followed.map(({ target }) => target),
        ["/api/recording/trigger"],
      );
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("hangs: reads the request, sends nothing and keeps the connection open", () =>
    inState("hangs", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("the request arrived", () => standIn.arrivals.length === 1);
      await pause(300);
      assert.equal(client.bytes(), 0);
      assert.equal(client.socket.closed, false);
      assert.equal(standIn.arrivals[0]?.closedAtMs, undefined);
      client.socket.destroy();
      await until("the closed connection is recorded", () => standIn.arrivals[0]?.closedAtMs !== undefined);
    }));

  test("drops: closes the connection without an answer after the request", () =>
    inState("drops", async (standIn) => {
      assert.equal(await answerOf(standIn), "");
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("slow: answers after two seconds", () =>
    inState("slow", async (standIn) => {
      const startMs = performance.now();
      assert.match(await answerOf(standIn), /^HTTP\/1\.1 202 /);
      assert.ok(performance.now() - startMs > 1_950);
    }));

  test("floods: never ends its answer, and counts the bytes that were sent", () =>
    inState("floods", async (standIn) => {
      const client = await connected(standIn);
      send(client);
      await until("100 MB arrived", () => client.bytes() > 100_000_000);
      assert.equal(client.socket.closed, false);
      assert.match(client.text().slice(0, 20), /^HTTP\/1\.1 202 /);
      client.socket.destroy();
      await until("the sent bytes are counted", () => (standIn.arrivals[0]?.answeredBytes ?? 0) > 100_000_000);
    }));

  test("floods: stops sending if the client does not read", () =>
    inState("floods", async (standIn) => {
      const client = await connected(standIn);
      client.socket.pause();
      send(client);
      await until("the request arrived", () => standIn.arrivals.length === 1);
      await pause(500);
      client.socket.destroy();
      await until("the sent bytes are counted", () => (standIn.arrivals[0]?.answeredBytes ?? 0) > 0);
      assert.ok((standIn.arrivals[0]?.answeredBytes ?? 0) < 32_000_000);
    }));

  test("babbles: sends something that is not HTTP, and closes the connection", () =>
    inState("babbles", async (standIn) => assert.match(await answerOf(standIn), /this is no HTTP/)));

  test("refuses: has a port that refuses connections", () =>
    inState("refuses", async (standIn) => {
      await assert.rejects(connected(standIn), { code: "ECONNREFUSED" });
    }));

  test("absent: never completes a connection", () =>
    inState("absent", async ({ url }) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      await pause(1_500);
      assert.equal(socket.connecting, true);
      socket.destroy();
    }));

  test("any state: is idle only when everything that was sent before has arrived", () =>
    inState("answers", async (standIn) => {
      const request = `POST / HTTP/1.1\\r\\nHost: game\\r\\nContent-Length: ${body.length}\\r\\n\\r\\n`;
      const script = `
        const socket = require("node:net").connect(${new URL(standIn.url).port}, "127.0.0.1");
        socket.end("${request}" + ${JSON.stringify(body)}, () => process.exit());`;
      // Meanwhile, the stand-in accepts no connection.
      execFileSync(process.execPath, ["-e", script]);
      await standIn.idle(60_000);
      assert.equal(standIn.arrivals.length, 1);
    }));

  test("any state: answers a browser's preflight request, which is not recorded", () =>
    inState("hangs", async (standIn) => {
      const answer = await fetch(standIn.url, { method: "OPTIONS", headers: { origin: "https://game.example" } });
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get("access-control-allow-origin"), "https://game.example");
      assert.equal(standIn.arrivals.length, 0);
    }));
});
